// The command “Find in notes”: a list that follows what is typed.

import { App, Notice, Plugin, PluginSettingTab, Setting, SuggestModal, TFile, requestUrl } from "obsidian";

import { LiveSearch, search, SearchError, type Section, type Settings } from "./server";

const DEFAULTS: Settings = { port: 8765, token: "" };

/** A row of the list: a section, or a sentence. */
type Row = Section | { sentence: string };

export default class NoteSearchPlugin extends Plugin {
  settings: Settings = DEFAULTS;

  override async onload(): Promise<void> {
    this.settings = { ...DEFAULTS, ...(await this.loadData()) };
    this.addCommand({
      id: "find",
      name: "Find in notes",
      callback: () => new SectionList(this.app, this.settings).open(),
    });
    this.addSettingTab(new SettingsPage(this.app, this));
  }

  async change(settings: Partial<Settings>): Promise<void> {
    this.settings = { ...this.settings, ...settings };
    await this.saveData(this.settings);
  }
}

async function get(url: string, headers: Record<string, string>) {
  return requestUrl({ url, headers, throw: false }); // not fetch: a page's origin would be refused
}

class SectionList extends SuggestModal<Row> {
  private readonly live: LiveSearch<Row>;

  constructor(app: App, settings: Settings) {
    super(app);
    this.live = new LiveSearch((query) => this.find(query, settings));
    this.setPlaceholder("Words or meaning");
    this.emptyStateText = "Nothing was found.";
  }

  getSuggestions(query: string): Promise<Row[]> {
    return this.live.ask(query);
  }

  renderSuggestion(row: Row, element: HTMLElement): void {
    if ("sentence" in row) {
      element.createDiv({ text: row.sentence });
      return;
    }
    element.createDiv({ text: row.name });
    element.createEl("small", { text: row.text });
  }

  onChooseSuggestion(row: Row): void {
    if (!("sentence" in row)) {
      void this.show(row);
    }
  }

  private async find(query: string, settings: Settings): Promise<Row[]> {
    try {
      return await search(query, settings, get);
    } catch (error) {
      if (error instanceof SearchError) {
        return [{ sentence: error.message }];
      }
      throw error;
    }
  }

  private async show({ path, line }: Section): Promise<void> {
    const file = this.app.vault.getAbstractFileByPath(path);
    if (file instanceof TFile) {
      await this.app.workspace.getLeaf().openFile(file, { eState: { line: line - 1 } });
    } else {
      new Notice(`${path} is not in this vault: run “notesearch serve --vault” with this vault's folder.`);
    }
  }
}

class SettingsPage extends PluginSettingTab {
  constructor(
    app: App,
    private readonly plugin: NoteSearchPlugin,
  ) {
    super(app, plugin);
  }

  display(): void {
    const { plugin } = this;
    this.containerEl.empty();
    new Setting(this.containerEl)
      .setName("Port")
      .setDesc("The port of “notesearch serve”.")
      .addText((field) =>
        field
          .setValue(String(plugin.settings.port))
          .onChange((text) => plugin.change({ port: Number(text) || DEFAULTS.port })),
      );
    new Setting(this.containerEl)
      .setName("Token")
      .setDesc("“notesearch serve” says which file contains it. Obsidian keeps it in this vault's settings.")
      .addText((field) =>
        field
          .setValue(plugin.settings.token)
          .onChange((text) => plugin.change({ token: text.trim() })),
      );
  }
}
