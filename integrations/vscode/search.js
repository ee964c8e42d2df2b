// Asks the program notesearch. Nothing here knows VS Code.

const { execFile } = require("node:child_process");
const path = require("node:path");

const LIMIT = "30";
const MISSING = "notesearch was not found: install it, or set its path in the setting notesearch.program.";

/**
 * Returns the sections that a query finds, the best first.
 *
 * @param {string} query What was typed; no shell reads it.
 * @param {{program: string, vault: string, signal?: AbortSignal}} options
 * @returns {Promise<{name: string, text: string, file: string, line: number, place: string}[]>}
 *   Lines count from 1. The text is plain text.
 * @throws {Error} With one sentence for the user, or named AbortError.
 */
function search(query, { program, vault, signal }) {
  const words = ["search", "--json", "--limit", LIMIT, ...(vault ? ["--vault", vault] : []), "--", query];
  return new Promise((resolve, reject) => {
    execFile(program, words, { signal, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      const nothingFound = error?.code === 1 && stdout; // a crash has this code, too, but no answer
      if (error && !nothingFound) {
        reject(error.name === "AbortError" ? error : new Error(sentence(error, stderr)));
      } else {
        resolve(sections(JSON.parse(stdout)));
      }
    });
  });
}

function sentence(error, stderr) {
  if (error.code === "ENOENT") {
    return MISSING;
  }
  return stderr.trim().split("\n").at(-1) || error.message;
}

function sections({ folders, results }) {
  return results.flatMap((note) =>
    note.sections.map((section) => ({
      name: [note.title, ...section.section_path.filter((one) => one !== note.title)].join(" › "),
      text: section.snippet.replace(/\s+/g, " ").trim(),
      file: path.join(folders[note.vault], note.path),
      line: section.passage_line,
      place: `${note.path}:${section.passage_line}`,
    })),
  );
}

module.exports = { search };
