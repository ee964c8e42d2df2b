// Asks the HTTP API of “notesearch serve”. Nothing here knows Obsidian.

/** A section that was found; lines count from 1, the text is plain text. */
export interface Section {
  name: string;
  text: string;
  path: string;
  line: number;
}

export interface Settings {
  port: number;
  token: string;
}

/** Gets an address; rejects if nobody listens there. */
export type Get = (
  address: string,
  headers: Record<string, string>,
) => Promise<{ status: number; text: string }>;

/** A search failed; the message is one sentence for the user. */
export class SearchError extends Error {}

interface Answer {
  results: {
    path: string;
    title: string;
    sections: { section_path: string[]; snippet: string; passage_line: number }[];
  }[];
}

const LIMIT = 20;
const NOT_SERVING = "notesearch does not answer: run “notesearch serve” in a terminal.";
const WRONG_TOKEN = "Copy the token into this plug-in's settings: “notesearch serve” names its file.";

/** Returns the sections that a query finds, the best first; throws SearchError. */
export async function search(query: string, settings: Settings, get: Get): Promise<Section[]> {
  if (!query.trim()) {
    return [];
  }
  const parameters = new URLSearchParams({ q: query, n: String(LIMIT) });
  const address = `http://127.0.0.1:${settings.port}/api/v1/search?${parameters}`;
  const { status, text } = await get(address, { Authorization: `Bearer ${settings.token}` }).catch(() => {
    throw new SearchError(NOT_SERVING);
  });
  if (status === 401) {
    throw new SearchError(WRONG_TOKEN);
  }
  if (status !== 200) {
    throw new SearchError(reason(text));
  }
  return sections(JSON.parse(text));
}

function reason(text: string): string {
  try {
    return JSON.parse(text).error.message;
  } catch {
    return NOT_SERVING; // another program listens at the port
  }
}

function sections({ results }: Answer): Section[] {
  return results.flatMap((note) =>
    note.sections.map((section) => ({
      name: [note.title, ...section.section_path.filter((one) => one !== note.title)].join(" › "),
      text: section.snippet.replace(/\s+/g, " ").trim(),
      path: note.path,
      line: section.passage_line,
    })),
  );
}

/** Answers queries that are asked faster than answers come: each gets the newest one's answer. */
export class LiveSearch<Found> {
  private newest: Promise<Found[]> = Promise.resolve([]);

  constructor(
    private readonly find: (query: string) => Promise<Found[]>,
    private readonly pauseMs = 150,
  ) {}

  async ask(query: string): Promise<Found[]> {
    const answer: Promise<Found[]> = this.afterPause(query, () => answer === this.newest);
    this.newest = answer;
    let shown;
    do {
      shown = this.newest;
      await Promise.allSettled([shown]);
    } while (shown !== this.newest);
    return shown;
  }

  private async afterPause(query: string, isNewest: () => boolean): Promise<Found[]> {
    await new Promise((resolve) => setTimeout(resolve, this.pauseMs));
    return isNewest() ? this.find(query) : [];
  }
}
