// VS Code is faked at its edge; notesearch is the real program where it is on the path.

const assert = require("node:assert");
const { execFileSync } = require("node:child_process");
const Module = require("node:module");
const path = require("node:path");
const { test } = require("node:test");

const { search } = require("../search.js");

const vault = process.env.VAULT;
const settings = { program: "notesearch", vault };
const needs = { skip: vault ? false : "VAULT names no notes" };

function fakeVscode() {
  const fake = { commands: {}, window: {}, workspace: {}, opened: [] };
  fake.commands.registerCommand = (_name, run) => (fake.find = run);
  fake.workspace.getConfiguration = () => ({ get: (name) => settings[name] });
  fake.Uri = { file: (file) => file };
  fake.Position = class { constructor(line) { this.line = line; } };
  fake.Range = class { constructor(start) { this.start = start; } };
  fake.window.showTextDocument = async (file, { selection }) => fake.opened.push([file, selection.start.line]);
  fake.window.createQuickPick = () => (fake.list = quickPick());
  return fake;
}

function quickPick() {
  const list = { items: [], selectedItems: [], show() {}, hide() { this.hidden(); }, dispose() {} };
  list.onDidChangeValue = (run) => (list.type = run);
  list.onDidAccept = (run) => (list.accept = run);
  list.onDidHide = (run) => (list.hidden = run);
  return list;
}

function activated() {
  const fake = fakeVscode();
  const load = Module._load;
  Module._load = (name, ...rest) => (name === "vscode" ? fake : load(name, ...rest));
  delete require.cache[require.resolve("../extension.js")];
  require("../extension.js").activate({ subscriptions: [] });
  Module._load = load;
  fake.find();
  return fake;
}

async function until(condition) {
  for (let tries = 0; tries < 600 && !condition(); tries++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.ok(condition());
}

test("finds sections with their lines", needs, async () => {
  const [ramen] = await search("ramen bowl", settings);
  assert.strictEqual(ramen.name, "Japan › Food › Ramen");
  assert.strictEqual(ramen.text, "A bowl of ramen costs 900 yen & more.");
  assert.deepStrictEqual([ramen.file, ramen.line], [path.join(vault, "travel/japan.md"), 9]);
});

test("takes any query", needs, async () => {
  for (const query of ["$(touch x)", "'; \"", "--json", "nothinglikeit"]) {
    assert.deepStrictEqual(await search(query, settings), []);
  }
});

test("says in one sentence what is wrong", async () => {
  const missing = { program: "no-such-notesearch", vault: "" };
  await assert.rejects(search("ramen", missing), /^Error: notesearch was not found: install it/);
  await assert.rejects(search("ramen", { program: "false", vault: "" }), /^Error: Command failed/);
});

test("says what the program says", needs, async () => {
  await assert.rejects(search("ramen", { ...settings, vault: "no such folder" }), /no such folder/);
});

test("shows the newest query's results, and opens one at its line", needs, async () => {
  const vscode = activated();
  vscode.list.type("pickled");
  vscode.list.type("ramen bowl");
  await until(() => vscode.list.items.length);
  const [ramen] = vscode.list.items;
  assert.strictEqual(ramen.label, "Japan › Food › Ramen");
  assert.ok(ramen.alwaysShow);
  vscode.list.selectedItems = [ramen];
  await vscode.list.accept();
  assert.deepStrictEqual(vscode.opened, [[path.join(vault, "travel/japan.md"), 8]]);
});

test("says that nothing was found", needs, async () => {
  const vscode = activated();
  vscode.list.type("nothinglikeit");
  await until(() => vscode.list.items.length);
  assert.strictEqual(vscode.list.items[0].label, "Nothing was found.");
});

test("its manifest names the commands of the code", () => {
  const manifest = require("../package.json");
  assert.deepStrictEqual(manifest.contributes.commands.map((one) => one.command), ["notesearch.find"]);
  execFileSync(process.execPath, ["--check", path.join(__dirname, "..", manifest.main)]);
});
