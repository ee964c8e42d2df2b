// The command “Find in Notes”: a list that follows what is typed.

const vscode = require("vscode");
const { search } = require("./search.js");

const PAUSE_MS = 150;

function activate(context) {
  context.subscriptions.push(vscode.commands.registerCommand("notesearch.find", findInNotes));
}

function findInNotes() {
  const list = vscode.window.createQuickPick();
  let timer;
  let running = new AbortController();

  function stop() {
    clearTimeout(timer);
    running.abort();
  }

  list.placeholder = "Words or meaning";
  list.matchOnDescription = false;
  list.onDidChangeValue((typed) => {
    stop(); // the newest query wins
    running = new AbortController();
    timer = setTimeout(() => show(list, typed, running.signal), PAUSE_MS);
  });
  list.onDidAccept(() => {
    const [chosen] = list.selectedItems;
    if (chosen?.section) {
      list.hide();
      return open(chosen.section);
    }
  });
  list.onDidHide(() => {
    stop();
    list.dispose();
  });
  list.show();
}

async function show(list, typed, signal) {
  if (!typed.trim()) {
    list.items = [];
    return;
  }
  list.busy = true;
  const settings = vscode.workspace.getConfiguration("notesearch");
  const options = { program: settings.get("program"), vault: settings.get("vault"), signal };
  try {
    const found = await search(typed, options);
    if (!signal.aborted) {
      list.items = found.length ? found.map(item) : [row("Nothing was found.")];
    }
  } catch (error) {
    if (!signal.aborted) {
      list.items = [row(error.message)];
    }
  }
  list.busy = signal.aborted && list.busy;
}

// VS Code hides items that do not contain what was typed, unless they say otherwise. Results found
// by meaning do not contain it. A name such as $(bug) would become an icon.
function row(label) {
  return { label: label.replaceAll("$(", "$\u200b("), alwaysShow: true };
}

function item(section) {
  return { ...row(section.name), description: section.place, detail: row(section.text).label, section };
}

async function open({ file, line }) {
  const start = new vscode.Position(line - 1, 0);
  await vscode.window.showTextDocument(vscode.Uri.file(file), {
    selection: new vscode.Range(start, start),
  });
}

module.exports = { activate };
