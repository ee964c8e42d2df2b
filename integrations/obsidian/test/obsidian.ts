// Obsidian's edge, faked: only what the plug-in uses.

export const notices: string[] = [];
export const opened: [string, unknown][] = [];

export class App {
  vault = { getAbstractFileByPath: (path: string) => (path.startsWith("travel/") ? new TFile(path) : null) };
  workspace = {
    getLeaf: () => ({ openFile: async (file: TFile, state: unknown) => opened.push([file.path, state]) }),
  };
}

export class TFile {
  constructor(readonly path: string) {}
}

export class Notice {
  constructor(text: string) {
    notices.push(text);
  }
}

export class Plugin {
  commands: { id: string; callback: () => void }[] = [];
  constructor(
    readonly app: App,
    private data: unknown,
  ) {}
  addCommand(command: { id: string; callback: () => void }) {
    this.commands.push(command);
  }
  addSettingTab() {}
  async loadData() {
    return this.data;
  }
  async saveData(data: unknown) {
    this.data = data;
  }
}

export const lists: SuggestModal[] = [];

export abstract class SuggestModal {
  emptyStateText = "";
  constructor(readonly app: App) {}
  setPlaceholder() {}
  open() {
    lists.push(this);
  }
}

export class PluginSettingTab {}
export class Setting {}

export async function requestUrl({ url, headers }: { url: string; headers: Record<string, string> }) {
  const response = await fetch(url, { headers });
  return { status: response.status, text: await response.text() };
}
