// The plug-in with a fake Obsidian; the server is the real one where PORT and TOKEN name it.

import assert from "node:assert";
import { createServer, type AddressInfo } from "node:net";
import { test } from "node:test";

import NoteSearchPlugin from "../src/main";
import { LiveSearch, search, type Section } from "../src/server";
import * as obsidian from "./obsidian";

const settings = { port: Number(process.env.PORT), token: process.env.TOKEN ?? "" };
const needs = { skip: settings.port ? false : "PORT names no server" };

async function get(address: string, headers: Record<string, string>) {
  const response = await fetch(address, { headers });
  return { status: response.status, text: await response.text() };
}

/** Runs the command of the plug-in and returns its list. */
async function openedList(data: unknown) {
  const plugin = new (NoteSearchPlugin as any)(new obsidian.App(), data);
  await plugin.onload();
  plugin.commands[0].callback();
  return obsidian.lists.at(-1) as any;
}

test("finds sections with their lines", needs, async () => {
  assert.deepStrictEqual(await search("ramen bowl", settings, get), [
    { name: "Japan › Food › Ramen", text: "A bowl of ramen costs 900 yen & more.", path: "travel/japan.md", line: 9 },
  ]);
});

test("takes any query", needs, async () => {
  for (const query of ["", "  ", "&n=0", "$(x) '\" #", "nothinglikeit"]) {
    assert.deepStrictEqual(await search(query, settings, get), []);
  }
});

test("says that the token is wrong", needs, async () => {
  await assert.rejects(search("ramen", { ...settings, token: "no" }, get), /Copy the token/);
});

test("says that nobody serves", async () => {
  const free = createServer().listen(0);
  const { port } = free.address() as AddressInfo;
  await new Promise((resolve) => free.close(resolve));
  await assert.rejects(search("ramen", { port, token: "" }, get), /run “notesearch serve”/);
});

test("says what the server says, and takes another program for no server", async () => {
  const answer = (status: number, text: string) => async () => ({ status, text });
  const busy = answer(503, '{"error": {"message": "The notes are being indexed."}}');
  await assert.rejects(search("ramen", settings, busy), /being indexed/);
  await assert.rejects(search("ramen", settings, answer(404, "<html>")), /does not answer/);
});

test("the newest query wins, however late the others are answered", async () => {
  const asked: string[] = [];
  const answers = new Map<string, (found: string[]) => void>();
  const live = new LiveSearch<string>((query) => {
    asked.push(query);
    return new Promise((resolve) => answers.set(query, resolve));
  }, 5);
  const skipped = live.ask("r");
  const slow = live.ask("ra");
  await new Promise((resolve) => setTimeout(resolve, 30));
  const newest = live.ask("ramen");
  await new Promise((resolve) => setTimeout(resolve, 30));
  answers.get("ramen")!(["Ramen"]);
  assert.deepStrictEqual(await newest, ["Ramen"]);
  answers.get("ra")!(["Rain"]);
  assert.deepStrictEqual(await Promise.all([skipped, slow]), [["Ramen"], ["Ramen"]]);
  assert.deepStrictEqual(asked, ["ra", "ramen"]);
});

test("the command lists sections and opens one at its line", needs, async () => {
  const list = await openedList(settings);
  const [ramen] = (await list.getSuggestions("ramen bowl")) as Section[];
  const lines: string[] = [];
  const element = {
    createDiv: ({ text }: { text: string }) => lines.push(text),
    createEl: (_name: string, { text }: { text: string }) => lines.push(text),
  };
  list.renderSuggestion(ramen, element);
  assert.deepStrictEqual(lines, ["Japan › Food › Ramen", "A bowl of ramen costs 900 yen & more."]);
  list.onChooseSuggestion(ramen);
  assert.deepStrictEqual(obsidian.opened, [["travel/japan.md", { eState: { line: 8 } }]]);
});

test("a note of another vault is not opened", needs, async () => {
  const list = await openedList(settings);
  const [odd] = await list.getSuggestions("pickled");
  list.onChooseSuggestion(odd);
  assert.match(obsidian.notices[0], /is not in this vault/);
});

test("what is wrong becomes a row", async () => {
  const list = await openedList({ port: 1, token: "" });
  const [row] = await list.getSuggestions("ramen");
  assert.match(row.sentence, /run “notesearch serve”/);
});
