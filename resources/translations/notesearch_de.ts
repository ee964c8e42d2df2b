<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de">
<context>
    <name></name>
    <message numerus="yes">
        <source>For %Ln second(s)</source>
        <translation>
            <numerusform>%Ln Sekunde lang</numerusform>
            <numerusform>%Ln Sekunden lang</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln note(s)</source>
        <translation>
            <numerusform>%Ln Notiz</numerusform>
            <numerusform>%Ln Notizen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln word(s)</source>
        <translation>
            <numerusform>%Ln Wort</numerusform>
            <numerusform>%Ln Wörter</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{current} of %Ln+ match(es)</source>
        <translation>
            <numerusform>{current} von %Ln+ Treffern</numerusform>
            <numerusform>{current} von %Ln+ Treffern</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{current} of %Ln match(es)</source>
        <translation>
            <numerusform>{current} von %Ln Treffer</numerusform>
            <numerusform>{current} von %Ln Treffern</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln note(s) could not be read</source>
        <translation>
            <numerusform>%Ln Notiz war nicht lesbar</numerusform>
            <numerusform>%Ln Notizen waren nicht lesbar</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Search %Ln note(s)</source>
        <translation>
            <numerusform>%Ln Notiz durchsuchen</numerusform>
            <numerusform>%Ln Notizen durchsuchen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Type to search %Ln note(s)</source>
        <translation>
            <numerusform>Tippen, um %Ln Notiz zu durchsuchen</numerusform>
            <numerusform>Tippen, um %Ln Notizen zu durchsuchen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{ready} of %Ln passage(s) are ready.</source>
        <translation>
            <numerusform>{ready} von %Ln Textstelle ist bereit.</numerusform>
            <numerusform>{ready} von %Ln Textstellen sind bereit.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln passage(s) are ready.</source>
        <translation>
            <numerusform>%Ln Textstelle ist bereit.</numerusform>
            <numerusform>%Ln Textstellen sind bereit.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln section(s)</source>
        <translation>
            <numerusform>%Ln Abschnitt</numerusform>
            <numerusform>%Ln Abschnitte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{sections} so far · {done} of %Ln note(s)</source>
        <translation>
            <numerusform>Bisher {sections} · {done} von %Ln Notiz</numerusform>
            <numerusform>Bisher {sections} · {done} von %Ln Notizen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{sections}, the first {listed} in %Ln note(s)</source>
        <translation>
            <numerusform>{sections}, die ersten {listed} in %Ln Notiz</numerusform>
            <numerusform>{sections}, die ersten {listed} in %Ln Notizen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{sections} in %Ln note(s)</source>
        <translation>
            <numerusform>{sections} in %Ln Notiz</numerusform>
            <numerusform>{sections} in %Ln Notizen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{done} of %Ln note(s) have been read so far.</source>
        <translation>
            <numerusform>Bisher {done} von %Ln Notiz gelesen.</numerusform>
            <numerusform>Bisher {done} von %Ln Notizen gelesen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Show %Ln more in this note</source>
        <translation>
            <numerusform>Noch %Ln in dieser Notiz zeigen</numerusform>
            <numerusform>Noch %Ln in dieser Notiz zeigen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Showing the best %Ln. Add a word to narrow it down.</source>
        <translation>
            <numerusform>Der beste Abschnitt. Mehr Wörter grenzen ein.</numerusform>
            <numerusform>Die besten %Ln Abschnitte. Mehr Wörter grenzen ein.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Searched %Ln note(s). {hint}</source>
        <translation>
            <numerusform>%Ln Notiz durchsucht. {hint}</numerusform>
            <numerusform>%Ln Notizen durchsucht. {hint}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln note(s) could not be read. All others are searched.</source>
        <translation>
            <numerusform>%Ln Notiz war nicht lesbar. Alle anderen werden durchsucht.</numerusform>
            <numerusform>%Ln Notizen waren nicht lesbar. Alle anderen werden durchsucht.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Indexing {done} of %Ln note(s) – you can search already</source>
        <translation>
            <numerusform>{done} von %Ln Notiz indexiert – Sie können schon suchen</numerusform>
            <numerusform>{done} von %Ln Notizen indexiert – Sie können schon suchen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, about %Ln minute(s) left</source>
        <translation>
            <numerusform>, noch etwa %Ln Minute</numerusform>
            <numerusform>, noch etwa %Ln Minuten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, about %Ln hour(s) left</source>
        <translation>
            <numerusform>, noch etwa %Ln Stunde</numerusform>
            <numerusform>, noch etwa %Ln Stunden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln vector(s)</source>
        <comment>of a model, in the index</comment>
        <translation>
            <numerusform>%Ln Vektor</numerusform>
            <numerusform>%Ln Vektoren</numerusform>
        </translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Close this message</source>
        <translation>Diese Meldung schließen</translation>
    </message>
    <message>
        <source>Indexing</source>
        <translation>Indexierung läuft</translation>
    </message>
    <message>
        <source>Actions</source>
        <translation>Aktionen</translation>
    </message>
    <message>
        <source>Search actions</source>
        <translation>Aktion suchen</translation>
    </message>
    <message>
        <source>Update index</source>
        <translation>Index aktualisieren</translation>
    </message>
    <message>
        <source>Close window</source>
        <translation>Fenster schließen</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>Einstellungen …</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>Als Markdown kopieren</translation>
    </message>
    <message>
        <source>Copy link to the section</source>
        <translation>Link zum Abschnitt kopieren</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>Pfad kopieren</translation>
    </message>
    <message>
        <source>Show in the file manager</source>
        <translation>In der Dateiverwaltung zeigen</translation>
    </message>
    <message>
        <source>Choose editor…</source>
        <translation>Editor wählen …</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Next pane</source>
        <translation>Nächster Bereich</translation>
    </message>
    <message>
        <source>Previous pane</source>
        <translation>Voriger Bereich</translation>
    </message>
    <message>
        <source>Show parent section</source>
        <translation>Umgebenden Abschnitt zeigen</translation>
    </message>
    <message>
        <source>Find in the preview</source>
        <translation>In der Vorschau suchen</translation>
    </message>
    <message>
        <source>Enlarge picture</source>
        <translation>Bild vergrößern</translation>
    </message>
    <message>
        <source>Export as PDF…</source>
        <translation>Als PDF exportieren …</translation>
    </message>
    <message>
        <source>Print…</source>
        <translation>Drucken …</translation>
    </message>
    <message>
        <source>Default text size in the preview</source>
        <translation>Standardtextgröße in der Vorschau</translation>
    </message>
    <message>
        <source>Star this query</source>
        <translation>Diese Suche merken</translation>
    </message>
    <message>
        <source>Name this query…</source>
        <translation>Diese Suche benennen …</translation>
    </message>
    <message>
        <source>Starred and earlier queries</source>
        <translation>Gemerkte und frühere Suchen</translation>
    </message>
    <message>
        <source>New note</source>
        <translation>Neue Notiz</translation>
    </message>
    <message>
        <source>More like this</source>
        <translation>Mehr in dieser Art</translation>
    </message>
    <message>
        <source>Less like this</source>
        <translation>Weniger in dieser Art</translation>
    </message>
    <message>
        <source>Show whole note</source>
        <translation>Ganze Notiz zeigen</translation>
    </message>
    <message>
        <source>Search this note only</source>
        <translation>Nur in dieser Notiz suchen</translation>
    </message>
    <message>
        <source>Scroll the preview up</source>
        <translation>Vorschau nach oben scrollen</translation>
    </message>
    <message>
        <source>Scroll the preview down</source>
        <translation>Vorschau nach unten scrollen</translation>
    </message>
    <message>
        <source>All actions</source>
        <translation>Alle Aktionen</translation>
    </message>
    <message>
        <source>Open note</source>
        <translation>Notiz öffnen</translation>
    </message>
    <message>
        <source>Open quick search</source>
        <translation>Schnellsuche öffnen</translation>
    </message>
    <message>
        <source>Choose folder…</source>
        <translation>Ordner wählen …</translation>
    </message>
    <message>
        <source>Try the sample notes</source>
        <translation>Mit Beispielnotizen probieren</translation>
    </message>
    <message>
        <source>About notesearch</source>
        <translation>Über notesearch</translation>
    </message>
    <message>
        <source>Show related sections</source>
        <translation>Verwandte Abschnitte zeigen</translation>
    </message>
    <message>
        <source>Show backlinks</source>
        <translation>Rückverweise zeigen</translation>
    </message>
    <message>
        <source>Why this result?</source>
        <translation>Warum dieses Ergebnis?</translation>
    </message>
    <message>
        <source>Why is a note not here?</source>
        <translation>Warum ist eine Notiz nicht dabei?</translation>
    </message>
    <message>
        <source>Search one folder…</source>
        <translation>In einem Ordner suchen …</translation>
    </message>
    <message>
        <source>Show or hide the preview</source>
        <translation>Vorschau ein- oder ausblenden</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Larger text in the preview</source>
        <translation>Größerer Text in der Vorschau</translation>
    </message>
    <message>
        <source>Go back to the section</source>
        <translation>Zurück zum Abschnitt</translation>
    </message>
    <message>
        <source>Scroll the preview up a page</source>
        <translation>Vorschau eine Seite nach oben</translation>
    </message>
    <message>
        <source>Scroll the preview down a page</source>
        <translation>Vorschau eine Seite nach unten</translation>
    </message>
    <message>
        <source>Go back in the preview</source>
        <translation>In der Vorschau zurück</translation>
    </message>
    <message>
        <source>Go forward in the preview</source>
        <translation>In der Vorschau vorwärts</translation>
    </message>
    <message>
        <source>Smaller text in the preview</source>
        <translation>Kleinerer Text in der Vorschau</translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>Verwenden</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Nicht jetzt</translation>
    </message>
    <message>
        <source>Downloading {name}: {percent} %</source>
        <translation>{name} wird heruntergeladen: {percent} %</translation>
    </message>
    <message>
        <source>You now use {name}. Until it has read all notes, the previous model answers.</source>
        <translation>{name} wird ab jetzt verwendet. Bis es alle Notizen gelesen hat, antwortet das bisherige Modell.</translation>
    </message>
    <message>
        <source>{name} has read all notes and now answers.</source>
        <translation>{name} hat alle Notizen gelesen und antwortet jetzt.</translation>
    </message>
    <message>
        <source>Show details</source>
        <translation>Einzelheiten</translation>
    </message>
    <message>
        <source>Menu</source>
        <translation>Menü</translation>
    </message>
    <message>
        <source>Pause indexing</source>
        <translation>Indexierung anhalten</translation>
    </message>
    <message>
        <source>Try: {query}</source>
        <translation>Zum Beispiel: {query}</translation>
    </message>
    <message>
        <source>Select</source>
        <translation>Auswählen</translation>
    </message>
    <message>
        <source>Parent section</source>
        <translation>Umgebung</translation>
    </message>
    <message>
        <source>Leave the sample notes</source>
        <translation>Beispielnotizen verlassen</translation>
    </message>
    <message>
        <source>Ignored according to the settings: {patterns}</source>
        <translation>Laut Einstellungen ignoriert: {patterns}</translation>
    </message>
    <message>
        <source>Location: {path}</source>
        <translation>Ort: {path}</translation>
    </message>
    <message>
        <source>Search all folders</source>
        <translation>In allen Ordnern suchen</translation>
    </message>
    <message>
        <source>Searching in: {folder}</source>
        <translation>Suche in: {folder}</translation>
    </message>
    <message>
        <source>All folders</source>
        <translation>Alle Ordner</translation>
    </message>
    <message>
        <source>Everywhere</source>
        <translation>Überall</translation>
    </message>
    <message>
        <source>Pick the folder that contains your Markdown notes. notesearch only reads it: your files stay as they are, and nothing leaves this computer.</source>
        <translation>Wählen Sie den Ordner mit Ihren Markdown-Notizen. notesearch liest ihn nur: Die Dateien bleiben, wie sie sind, und nichts verlässt diesen Computer.</translation>
    </message>
    <message>
        <source>Choose your notes folder</source>
        <translation>Notizordner wählen</translation>
    </message>
    <message>
        <source>Type a few words, or describe what the note is about.</source>
        <translation>Geben Sie ein paar Wörter ein, oder beschreiben Sie, worum es in der Notiz geht.</translation>
    </message>
    <message>
        <source>Folder inside another folder</source>
        <translation>Ein Ordner im Ordner</translation>
    </message>
    <message>
        <source>“{folder}” is inside “{around}”.</source>
        <translation>„{folder}“ liegt in „{around}“.</translation>
    </message>
    <message>
        <source>“{file}” is not a folder. Choose the folder of your notes.</source>
        <translation>„{file}“ ist kein Ordner. Wählen Sie den Ordner Ihrer Notizen.</translation>
    </message>
    <message>
        <source>You already search “{around}”. To search one folder of it, use the button next to the search field; that needs no second index.</source>
        <translation>„{around}“ wird schon durchsucht. Der Knopf neben dem Suchfeld beschränkt die Suche dort auf einen Ordner, ohne zweiten Index.</translation>
    </message>
    <message>
        <source>There are no Markdown files in {folder}.</source>
        <translation>In {folder} gibt es keine Markdown-Dateien.</translation>
    </message>
    <message>
        <source>Many notes</source>
        <translation>Viele Notizen</translation>
    </message>
    <message>
        <source>There are more than {many} notes in this folder.</source>
        <translation>In diesem Ordner sind mehr als {many} Notizen.</translation>
    </message>
    <message>
        <source>{folder} may contain more than your notes. Reading all of it takes a while, but you can start searching at once.</source>
        <translation>{folder} enthält vielleicht mehr als Notizen. Alles zu lesen dauert eine Weile, aber Sie können sofort suchen.</translation>
    </message>
    <message>
        <source>Search this folder</source>
        <translation>Diesen Ordner durchsuchen</translation>
    </message>
    <message>
        <source>Sort results by</source>
        <translation>Ergebnisse sortieren nach</translation>
    </message>
    <message>
        <source>Narrow</source>
        <translation>Filtern</translation>
    </message>
    <message>
        <source>Show only results with …</source>
        <translation>Nur Ergebnisse mit …</translation>
    </message>
    <message>
        <source>Best match first</source>
        <translation>Beste zuerst</translation>
    </message>
    <message>
        <source>Newest first</source>
        <translation>Neueste zuerst</translation>
    </message>
    <message>
        <source>Finding related…</source>
        <translation>Suche nach Verwandtem …</translation>
    </message>
    <message>
        <source>Clear earlier queries and the list of sections opened last?</source>
        <translation>Frühere Suchen und die Liste der zuletzt geöffneten Abschnitte löschen?</translation>
    </message>
    <message>
        <source>Found on this computer</source>
        <translation>Auf diesem Computer gefunden</translation>
    </message>
    <message>
        <source>Search this note</source>
        <translation>Diese Notiz durchsuchen</translation>
    </message>
    <message>
        <source>Obsidian vault “{name}”</source>
        <translation>Obsidian-Vault „{name}“</translation>
    </message>
    <message>
        <source>Folder “{name}”</source>
        <translation>Ordner „{name}“</translation>
    </message>
    <message>
        <source>{many}+ notes</source>
        <translation>Über {many} Notizen</translation>
    </message>
    <message>
        <source>{folder} cannot be read: {reason}. Choose another folder.</source>
        <translation>{folder} kann nicht gelesen werden: {reason}. Wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>Clear the query</source>
        <translation>Suche leeren</translation>
    </message>
    <message>
        <source>Switch to folder 1 … 9</source>
        <translation>Zu Ordner 1 … 9 wechseln</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>Select a section</source>
        <translation>Abschnitt auswählen</translation>
    </message>
    <message>
        <source>First and last section</source>
        <translation>Erster und letzter Abschnitt</translation>
    </message>
    <message>
        <source>Show all sections of the note</source>
        <translation>Alle Abschnitte der Notiz zeigen</translation>
    </message>
    <message>
        <source>Open section 1 … 9 in view</source>
        <translation>Sichtbaren Abschnitt 1 … 9 öffnen</translation>
    </message>
    <message>
        <source>Filter keys and actions</source>
        <translation>Tasten und Aktionen filtern</translation>
    </message>
    <message>
        <source>Previous and next query</source>
        <translation>Frühere und spätere Suchen</translation>
    </message>
    <message>
        <source>Page up or down</source>
        <translation>Eine Seite nach oben oder unten</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>Vorschau</translation>
    </message>
    <message>
        <source>Next and previous match</source>
        <translation>Nächster und voriger Treffer</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation>Ohne Titel</translation>
    </message>
    <message>
        <source>No Markdown files in this folder</source>
        <translation>Keine Markdown-Dateien in diesem Ordner</translation>
    </message>
    <message>
        <source>Search your notes</source>
        <translation>Notizen durchsuchen</translation>
    </message>
    <message>
        <source>These notes have not been read yet</source>
        <translation>Diese Notizen wurden noch nicht gelesen</translation>
    </message>
    <message>
        <source>Type to search your notes</source>
        <translation>Tippen, um die Notizen zu durchsuchen</translation>
    </message>
    <message>
        <source>Nothing found yet for “{query}”</source>
        <translation>Noch nichts gefunden für „{query}“</translation>
    </message>
    <message>
        <source>Nothing to search for in “{query}”</source>
        <translation>In „{query}“ gibt es nichts zu suchen</translation>
    </message>
    <message>
        <source>Type a word or a filter.</source>
        <translation>Geben Sie ein Wort oder einen Filter ein.</translation>
    </message>
    <message>
        <source>No sections match “{query}”</source>
        <translation>Kein Abschnitt passt zu „{query}“</translation>
    </message>
    <message>
        <source>Did you mean {query}?</source>
        <translation>Meinten Sie {query}?</translation>
    </message>
    <message>
        <source>Your notes cannot be searched</source>
        <translation>Die Notizen lassen sich nicht durchsuchen</translation>
    </message>
    <message>
        <source>Your notes are safe.</source>
        <translation>Die Notizen sind nicht betroffen.</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Related sections</source>
        <translation>Verwandte Abschnitte</translation>
    </message>
    <message>
        <source>Continue in the main window</source>
        <translation>Im Hauptfenster weitersuchen</translation>
    </message>
    <message>
        <source>Open notesearch</source>
        <translation>notesearch öffnen</translation>
    </message>
    <message>
        <source>Main window</source>
        <translation>Hauptfenster</translation>
    </message>
    <message>
        <source>Related</source>
        <translation>Verwandt</translation>
    </message>
    <message>
        <source>Recently opened</source>
        <translation>Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>Search results</source>
        <translation>Suchergebnisse</translation>
    </message>
    <message>
        <source>Search all notes</source>
        <translation>Wieder in allen Notizen suchen</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>Suche leeren</translation>
    </message>
    <message>
        <source>Choose a folder to start searching</source>
        <translation>Zum Suchen einen Ordner wählen</translation>
    </message>
    <message>
        <source>Search the notes in “{folder}”</source>
        <translation>Notizen in „{folder}“ suchen</translation>
    </message>
    <message>
        <source>Search the notes in all folders</source>
        <translation>Notizen in allen Ordnern suchen</translation>
    </message>
    <message>
        <source>Remove the filter {filter}</source>
        <translation>Filter {filter} entfernen</translation>
    </message>
    <message>
        <source>Filter headings in “{title}”</source>
        <translation>Überschriften in „{title}“ filtern</translation>
    </message>
    <message>
        <source>No other note has a related section.</source>
        <translation>In keiner anderen Notiz steht ein verwandter Abschnitt.</translation>
    </message>
    <message>
        <source>Search by meaning is not ready yet.</source>
        <translation>Die Suche nach Bedeutung ist noch nicht bereit.</translation>
    </message>
    <message>
        <source>Filter related sections</source>
        <translation>Verwandte Abschnitte filtern</translation>
    </message>
    <message>
        <source>No other note links to this one.</source>
        <translation>Keine andere Notiz verweist auf diese.</translation>
    </message>
    <message>
        <source>Backlinks</source>
        <translation>Rückverweise</translation>
    </message>
    <message>
        <source>Filter backlinks</source>
        <translation>Rückverweise filtern</translation>
    </message>
    <message>
        <source>Name or heading of the missing note</source>
        <translation>Name oder Überschrift der Notiz, die fehlt</translation>
    </message>
    <message>
        <source>Show section</source>
        <translation>Abschnitt zeigen</translation>
    </message>
    <message>
        <source>Open in editor</source>
        <translation>Im Editor öffnen</translation>
    </message>
    <message>
        <source>No notes folder yet</source>
        <translation>Noch kein Notizordner</translation>
    </message>
    <message>
        <source>Opening your notes…</source>
        <translation>Notizen werden geöffnet …</translation>
    </message>
    <message>
        <source>{why} Your notes are safe.</source>
        <translation>{why} Die Notizen sind nicht betroffen.</translation>
    </message>
    <message>
        <source>The notes folder {vault} cannot be reached. Showing results from the last update, {last}.</source>
        <translation>Der Notizordner ist nicht erreichbar: {vault}. Gezeigt werden Ergebnisse der letzten Aktualisierung, {last}.</translation>
    </message>
    <message>
        <source>The folder cannot be reached</source>
        <translation>Ordner nicht erreichbar</translation>
    </message>
    <message>
        <source>Nothing indexed yet</source>
        <translation>Noch nichts indexiert</translation>
    </message>
    <message>
        <source>{notes}, not up to date</source>
        <translation>{notes}, nicht aktuell</translation>
    </message>
    <message>
        <source>Getting ready to search by meaning…</source>
        <translation>Suche nach Bedeutung wird vorbereitet …</translation>
    </message>
    <message>
        <source>{notes}, searching with the previous model</source>
        <translation>{notes}, Suche mit dem bisherigen Modell</translation>
    </message>
    <message>
        <source>{notes}, up to date, {unread} not read</source>
        <translation>{notes}, aktuell, {unread} nicht gelesen</translation>
    </message>
    <message>
        <source>{notes}, searching by words only</source>
        <translation>{notes}, Suche nur nach Wörtern</translation>
    </message>
    <message>
        <source>{notes}, up to date, {remarks} with warnings</source>
        <translation>{notes}, aktuell, {remarks} mit Hinweisen</translation>
    </message>
    <message>
        <source>{notes}, up to date</source>
        <translation>{notes}, aktuell</translation>
    </message>
    <message>
        <source>Quick search</source>
        <translation>Schnellsuche</translation>
    </message>
    <message>
        <source>Update index now</source>
        <translation>Index jetzt aktualisieren</translation>
    </message>
    <message>
        <source>Quit notesearch</source>
        <translation>notesearch beenden</translation>
    </message>
    <message>
        <source>Notes that could not be read</source>
        <translation>Nicht lesbare Notizen</translation>
    </message>
    <message>
        <source>Notes with warnings</source>
        <translation>Notizen mit Hinweisen</translation>
    </message>
    <message>
        <source>Add or change folders…</source>
        <translation>Ordner hinzufügen oder ändern …</translation>
    </message>
    <message>
        <source>Notes folder: {name}</source>
        <translation>Notizordner: {name}</translation>
    </message>
    <message>
        <source>Search everywhere</source>
        <translation>Überall suchen</translation>
    </message>
    <message>
        <source>Filter folders</source>
        <translation>Ordner filtern</translation>
    </message>
    <message>
        <source>This needs search by meaning.</source>
        <translation>Das braucht die Suche nach Bedeutung.</translation>
    </message>
    <message>
        <source>in: {title}</source>
        <translation>in: {title}</translation>
    </message>
    <message>
        <source>{number}st</source>
        <translation>{number}</translation>
    </message>
    <message>
        <source>{number}nd</source>
        <translation>{number}</translation>
    </message>
    <message>
        <source>{number}rd</source>
        <translation>{number}</translation>
    </message>
    <message>
        <source>{number}th</source>
        <translation>{number}</translation>
    </message>
    <message>
        <source>Indexing paused</source>
        <translation>Indexierung angehalten</translation>
    </message>
    <message>
        <source>{notes}, indexing paused</source>
        <translation>{notes}, Indexierung angehalten</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>{place}. Moved or deleted.</source>
        <translation>{place}. Verschoben oder gelöscht.</translation>
    </message>
    <message>
        <source>{place}. Related. {snippet}</source>
        <translation>{place}. Verwandt. {snippet}</translation>
    </message>
    <message>
        <source>Also showing results for {meant}.</source>
        <translation>Auch Ergebnisse für {meant}.</translation>
    </message>
    <message>
        <source>Only search for {typed}</source>
        <translation>Nur nach {typed} suchen</translation>
    </message>
    <message>
        <source>similar to “{name}”</source>
        <translation>ähnlich wie „{name}“</translation>
    </message>
    <message>
        <source>unlike “{name}”</source>
        <translation>anders als „{name}“</translation>
    </message>
    <message>
        <source>Listed first: sections {likes}.</source>
        <translation>Zuerst: Abschnitte {likes}.</translation>
    </message>
    <message>
        <source>Excluding {words}.</source>
        <translation>Ohne {words}.</translation>
    </message>
    <message>
        <source>Not a filter, searched as text: {words}.</source>
        <translation>Kein Filter, als Text gesucht: {words}.</translation>
    </message>
    <message>
        <source>Similar filters: {words}.</source>
        <translation>Ähnliche Filter: {words}.</translation>
    </message>
    <message>
        <source>{sections} so far</source>
        <translation>bisher {sections}</translation>
    </message>
    <message>
        <source>No note has a tag.</source>
        <translation>Keine Notiz hat ein Schlagwort.</translation>
    </message>
    <message>
        <source>No note has a property.</source>
        <translation>Keine Notiz hat eine Eigenschaft.</translation>
    </message>
    <message>
        <source>No note is in a subfolder.</source>
        <translation>Keine Notiz liegt in einem Unterordner.</translation>
    </message>
    <message>
        <source>No note links to another.</source>
        <translation>Keine Notiz verweist auf eine andere.</translation>
    </message>
    <message>
        <source>Not found: {words}.</source>
        <translation>Nicht gefunden: {words}.</translation>
    </message>
    <message>
        <source>Try fewer words, or describe what the note is about.</source>
        <translation>Versuchen Sie es mit weniger Wörtern, oder beschreiben Sie, worum es in der Notiz geht.</translation>
    </message>
    <message>
        <source>Try removing the filter.</source>
        <translation>Versuchen Sie es ohne den Filter.</translation>
    </message>
    <message>
        <source>Try another word, or describe what the note is about.</source>
        <translation>Versuchen Sie es mit einem anderen Wort, oder beschreiben Sie, worum es in der Notiz geht.</translation>
    </message>
    <message>
        <source>Only searched in {place}. {hint}</source>
        <translation>Nur in {place} gesucht. {hint}</translation>
    </message>
    <message>
        <source>{notes} searched, but with warnings.</source>
        <translation>{notes} durchsucht, aber mit Hinweisen.</translation>
    </message>
    <message>
        <source>the note title</source>
        <translation>der Titel der Notiz</translation>
    </message>
    <message>
        <source>another name for the note</source>
        <translation>ein anderer Name der Notiz</translation>
    </message>
    <message>
        <source>a property</source>
        <translation>eine Eigenschaft</translation>
    </message>
    <message>
        <source>It is listed first because its name is your query.</source>
        <translation>Steht zuerst, weil der Name der Suchanfrage gleicht.</translation>
    </message>
    <message>
        <source>Ranked {rank} for your words.</source>
        <translation>Platz {rank} nach Wörtern.</translation>
    </message>
    <message>
        <source>Your words are in: {places}.</source>
        <translation>Wörter gefunden in: {places}.</translation>
    </message>
    <message>
        <source>It contains none of your words.</source>
        <translation>Keines der Wörter kommt darin vor.</translation>
    </message>
    <message>
        <source>It contains a link to the address in your query.</source>
        <translation>Ein Link darin führt zu der gesuchten Adresse.</translation>
    </message>
    <message>
        <source>Ranked {rank} by meaning.</source>
        <translation>Platz {rank} nach Bedeutung.</translation>
    </message>
    <message>
        <source>Not a close match in meaning.</source>
        <translation>Nach Bedeutung kein naher Treffer.</translation>
    </message>
    <message>
        <source>You opened it for this query before.</source>
        <translation>Sie haben ihn bei dieser Suche schon geöffnet.</translation>
    </message>
    <message>
        <source>Its note changed recently, and you prefer recent notes.</source>
        <translation>Die Notiz wurde kürzlich geändert, und Sie bevorzugen solche Notizen.</translation>
    </message>
    <message>
        <source>It is in a folder that you prefer.</source>
        <translation>Er liegt in einem Ordner, den Sie bevorzugen.</translation>
    </message>
    <message>
        <source>It matches your filters: {filters}.</source>
        <translation>Passt zu den Filtern: {filters}.</translation>
    </message>
    <message>
        <source>You opened or changed it recently.</source>
        <translation>Wurde kürzlich geöffnet oder geändert.</translation>
    </message>
    <message>
        <source>Showing results for {meant}.</source>
        <translation>Ergebnisse für {meant}.</translation>
    </message>
    <message>
        <source>Search for {typed} instead</source>
        <translation>Stattdessen nach {typed} suchen</translation>
    </message>
    <message>
        <source>{word} is not in your notes.</source>
        <translation>{word} kommt in den Notizen nicht vor.</translation>
    </message>
    <message>
        <source>{words} and {last} are not in your notes.</source>
        <translation>{words} und {last} kommen in den Notizen nicht vor.</translation>
    </message>
    <message>
        <source>No notes tagged #{value}.</source>
        <translation>Keine Notizen mit dem Schlagwort #{value}.</translation>
    </message>
    <message>
        <source>No notes in a folder “{value}”.</source>
        <translation>Keine Notizen in einem Ordner „{value}“.</translation>
    </message>
    <message>
        <source>No notes named “{value}”.</source>
        <translation>Keine Notizen namens „{value}“.</translation>
    </message>
    <message>
        <source>No notes or code in “{value}”.</source>
        <translation>Keine Notizen und kein Code in „{value}“.</translation>
    </message>
    <message>
        <source>No notes match the filter “{filter}”.</source>
        <translation>Keine Notizen passen zum Filter „{filter}“.</translation>
    </message>
    <message>
        <source>“{word}”</source>
        <translation>„{word}“</translation>
    </message>
    <message>
        <source>Looking for changes…</source>
        <translation>Änderungen werden gesucht …</translation>
    </message>
    <message>
        <source>Getting ready to search by meaning… {percent} %</source>
        <translation>Suche nach Bedeutung wird vorbereitet … {percent} %</translation>
    </message>
    <message>
        <source>the file name</source>
        <translation>der Dateiname</translation>
    </message>
    <message>
        <source>the heading</source>
        <translation>die Überschrift</translation>
    </message>
    <message>
        <source>a tag</source>
        <translation>ein Schlagwort</translation>
    </message>
    <message>
        <source>the text</source>
        <translation>der Text</translation>
    </message>
    <message>
        <source>notesearch – quick search</source>
        <translation>notesearch – Schnellsuche</translation>
    </message>
    <message>
        <source>Note outline</source>
        <translation>Gliederung dieser Notiz</translation>
    </message>
    <message>
        <source>Search tips</source>
        <translation>Suchtipps</translation>
    </message>
    <message>
        <source>Narrow the results</source>
        <translation>Ergebnisse filtern</translation>
    </message>
    <message>
        <source>Open quick search with {keys}</source>
        <translation>Schnellsuche mit {keys} öffnen</translation>
    </message>
    <message>
        <source>Nothing matches</source>
        <translation>Keine Treffer</translation>
    </message>
    <message>
        <source>Quick search opens with {keys} only while notesearch runs.</source>
        <translation>Die Schnellsuche öffnet sich mit {keys} nur, solange notesearch läuft.</translation>
    </message>
    <message>
        <source>Keep notesearch running?</source>
        <translation>notesearch weiterlaufen lassen?</translation>
    </message>
    <message>
        <source>You can change this in the settings, on the page “Quick search”.</source>
        <translation>Sie können das in den Einstellungen auf der Seite „Schnellsuche“ ändern.</translation>
    </message>
    <message>
        <source>Keep running</source>
        <translation>Weiterlaufen lassen</translation>
    </message>
    <message>
        <source>notesearch keeps running in the tray. You can change this in the settings.</source>
        <translation>notesearch läuft im Infobereich weiter. Sie können das in den Einstellungen ändern.</translation>
    </message>
    <message>
        <source>The start at login could not be changed: {reason}.</source>
        <translation>Der Start bei der Anmeldung ließ sich nicht ändern: {reason}.</translation>
    </message>
    <message>
        <source>Why “{section}” is a result</source>
        <translation>Warum „{section}“ gefunden wurde</translation>
    </message>
    <message>
        <source>Finds the section you mean in your own folder of Markdown notes. It never changes your notes, and nothing leaves this computer.

Free software under the MIT License. Built with Qt {version}.</source>
        <translation>Findet in einem Ordner mit Markdown-Notizen den Abschnitt, der gemeint ist. Die Notizen werden nur gelesen, und nichts verlässt diesen Computer.

Freie Software unter der MIT-Lizenz. Erstellt mit Qt {version}.</translation>
    </message>
    <message>
        <source>Copied as Markdown</source>
        <translation>Als Markdown kopiert</translation>
    </message>
    <message>
        <source>Link copied</source>
        <translation>Link kopiert</translation>
    </message>
    <message>
        <source>Path copied</source>
        <translation>Pfad kopiert</translation>
    </message>
    <message>
        <source>Write a new note “{name}”</source>
        <translation>Neue Notiz „{name}“ schreiben</translation>
    </message>
    <message>
        <source>Query starred. Press {keys} to name it.</source>
        <translation>Suche gemerkt. Mit {keys} geben Sie ihr einen Namen.</translation>
    </message>
    <message>
        <source>Star removed</source>
        <translation>Nicht mehr gemerkt</translation>
    </message>
    <message>
        <source>Starred query saved</source>
        <translation>Gemerkte Suche gespeichert</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>No picture in view</source>
        <translation>Kein Bild zu sehen</translation>
    </message>
    <message>
        <source>Search for “{text}”</source>
        <translation>Nach „{text}“ suchen</translation>
    </message>
    <message>
        <source>Open here</source>
        <translation>Hier öffnen</translation>
    </message>
    <message>
        <source>For example: {query}</source>
        <translation>Zum Beispiel: {query}</translation>
    </message>
    <message>
        <source>Search tips: choose an example to try it</source>
        <translation>Suchtipps: Wählen Sie ein Beispiel, um es auszuprobieren</translation>
    </message>
    <message>
        <source>Close in meaning, though it has none of your words</source>
        <translation>Ähnliche Bedeutung, ohne eines Ihrer Wörter</translation>
    </message>
    <message>
        <source>Both words, or a similar meaning</source>
        <translation>Beide Wörter oder eine ähnliche Bedeutung</translation>
    </message>
    <message>
        <source>These words side by side</source>
        <translation>Diese Wörter nebeneinander</translation>
    </message>
    <message>
        <source>Without the word after the minus</source>
        <translation>Ohne das Wort hinter dem Minus</translation>
    </message>
    <message>
        <source>One word or the other</source>
        <translation>Das eine Wort oder das andere</translation>
    </message>
    <message>
        <source>Words that begin like this</source>
        <translation>Wörter, die so beginnen</translation>
    </message>
    <message>
        <source>With this tag, or one below it</source>
        <translation>Mit diesem Schlagwort oder einem darunter</translation>
    </message>
    <message>
        <source>In this folder</source>
        <translation>In diesem Ordner</translation>
    </message>
    <message>
        <source>Under a heading with these words</source>
        <translation>Unter einer Überschrift mit diesen Wörtern</translation>
    </message>
    <message>
        <source>With this in the front matter</source>
        <translation>Mit dieser Angabe in den Metadaten</translation>
    </message>
    <message>
        <source>In this language</source>
        <translation>In dieser Sprache</translation>
    </message>
    <message>
        <source>Sections that link to the named note</source>
        <translation>Abschnitte, die auf die genannte Notiz verweisen</translation>
    </message>
    <message>
        <source>Notes that the named note links to</source>
        <translation>Notizen, auf die die genannte Notiz verweist</translation>
    </message>
    <message>
        <source>With open tasks</source>
        <translation>Mit offenen Aufgaben</translation>
    </message>
    <message>
        <source>With a table; also has:code, has:image, has:link</source>
        <translation>Mit einer Tabelle; auch has:code, has:image, has:link</translation>
    </message>
    <message>
        <source>From the last seven days; before: is the opposite</source>
        <translation>Aus den letzten sieben Tagen; before: ist das Gegenteil</translation>
    </message>
    <message>
        <source>No filter would narrow these results.</source>
        <translation>Kein Filter würde diese Ergebnisse filtern.</translation>
    </message>
    <message>
        <source>Export as PDF</source>
        <translation>Als PDF exportieren</translation>
    </message>
    <message>
        <source>Nothing was printed. Choose another printer or file.</source>
        <translation>Nichts wurde gedruckt. Wählen Sie einen anderen Drucker oder eine andere Datei.</translation>
    </message>
    <message>
        <source>Sent to the printer</source>
        <translation>An den Drucker geschickt</translation>
    </message>
    <message>
        <source>Written to {file}</source>
        <translation>In {file} geschrieben</translation>
    </message>
    <message>
        <source>The PDF was not written: {reason}. Choose another place.</source>
        <translation>Das PDF wurde nicht geschrieben: {reason}. Wählen Sie einen anderen Ort.</translation>
    </message>
    <message>
        <source>Deletes earlier queries and the list of sections opened last.</source>
        <translation>Löscht frühere Suchen und die Liste der zuletzt geöffneten Abschnitte.</translation>
    </message>
    <message>
        <source>Clear the history…</source>
        <translation>Verlauf löschen …</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Starred queries stay, and so do your notes.</source>
        <translation>Gemerkte Suchen bleiben, Ihre Notizen ebenso.</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>Searching for “{query}”…</source>
        <translation>Suche nach „{query}“ …</translation>
    </message>
    <message>
        <source>Starred query</source>
        <translation>Gemerkte Suche</translation>
    </message>
    <message>
        <source>Optional</source>
        <translation>Optional</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Shortcut</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keines</translation>
    </message>
    <message>
        <source>You have no permission to read {folder}. Choose another folder.</source>
        <translation>Sie dürfen {folder} nicht lesen. Wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>page {number}</source>
        <translation>Seite {number}</translation>
    </message>
    <message>
        <source>line {number}</source>
        <translation>Zeile {number}</translation>
    </message>
    <message>
        <source>In this section</source>
        <translation>In diesem Abschnitt</translation>
    </message>
    <message>
        <source>Online image, not loaded · {name}</source>
        <translation>Bild aus dem Internet, nicht geladen · {name}</translation>
    </message>
    <message>
        <source>Image not found · {name}</source>
        <translation>Bild nicht gefunden · {name}</translation>
    </message>
    <message>
        <source>Image cannot be shown · {name}</source>
        <translation>Bild kann nicht gezeigt werden · {name}</translation>
    </message>
    <message>
        <source>Image · {name}</source>
        <translation>Bild · {name}</translation>
    </message>
    <message>
        <source>Preview of the selected section</source>
        <translation>Vorschau des gewählten Abschnitts</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy web address</source>
        <translation>Webadresse kopieren</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Alles auswählen</translation>
    </message>
    <message>
        <source>Rendering…</source>
        <translation>Wird aufbereitet …</translation>
    </message>
    <message>
        <source>Note outline ({keys})</source>
        <translation>Gliederung dieser Notiz ({keys})</translation>
    </message>
    <message>
        <source>Open in the editor at this line</source>
        <translation>Im Editor an dieser Zeile öffnen</translation>
    </message>
    <message>
        <source>Previous match ({keys})</source>
        <translation>Voriger Treffer ({keys})</translation>
    </message>
    <message>
        <source>Next match ({keys})</source>
        <translation>Nächster Treffer ({keys})</translation>
    </message>
    <message>
        <source>Close ({keys})</source>
        <translation>Schließen ({keys})</translation>
    </message>
    <message>
        <source>Not found here</source>
        <translation>Hier nicht gefunden</translation>
    </message>
    <message>
        <source>How much of the note to show</source>
        <translation>Wie viel von der Notiz gezeigt wird</translation>
    </message>
    <message>
        <source>Section</source>
        <translation>Abschnitt</translation>
    </message>
    <message>
        <source>Parent</source>
        <translation>Umgebung</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>Show the parent section ({keys})</source>
        <translation>Den umgebenden Abschnitt zeigen ({keys})</translation>
    </message>
    <message>
        <source>Show the section found</source>
        <translation>Den gefundenen Abschnitt zeigen</translation>
    </message>
    <message>
        <source>Show the whole note ({keys})</source>
        <translation>Die ganze Notiz zeigen ({keys})</translation>
    </message>
    <message>
        <source>This section cannot be shown.</source>
        <translation>Dieser Abschnitt kann nicht gezeigt werden.</translation>
    </message>
    <message>
        <source>This is the text as last indexed, without formatting.</source>
        <translation>Der zuletzt indexierte Text, ohne Formatierung.</translation>
    </message>
    <message>
        <source>{name} · picture {number} of {count}</source>
        <translation>{name} · Bild {number} von {count}</translation>
    </message>
    <message>
        <source>Enlarged picture: {name}</source>
        <translation>Vergrößertes Bild: {name}</translation>
    </message>
    <message>
        <source>Scroll the table sideways</source>
        <translation>Tabelle seitlich verschieben</translation>
    </message>
    <message>
        <source>No earlier queries yet</source>
        <translation>Noch keine früheren Suchen</translation>
    </message>
    <message>
        <source>The preview is hidden</source>
        <translation>Die Vorschau ist ausgeblendet</translation>
    </message>
    <message>
        <source>Search by meaning as well as by words</source>
        <translation>Auch nach Bedeutung suchen, nicht nur nach Wörtern</translation>
    </message>
    <message>
        <source>You can choose another on the “Models” page.</source>
        <translation>Andere können Sie auf der Seite „Modelle“ wählen.</translation>
    </message>
    <message>
        <source>A window lists at most this many sections.</source>
        <translation>So viele Abschnitte zeigt ein Fenster höchstens.</translation>
    </message>
    <message>
        <source>Show the newest notes first in the main window</source>
        <translation>Neueste Notizen im Hauptfenster zuerst zeigen</translation>
    </message>
    <message>
        <source>Label sections found only by meaning as “Related”</source>
        <translation>Nur nach Bedeutung gefundene Abschnitte als „Verwandt“ kennzeichnen</translation>
    </message>
    <message>
        <source>Labels</source>
        <translation>Kennzeichen</translation>
    </message>
    <message>
        <source>Sections that you opened for a query rank higher for it</source>
        <translation>Abschnitte, die Sie bei einer Suche geöffnet haben, dort weiter oben zeigen</translation>
    </message>
    <message>
        <source>The record of this stays on this computer, in separate files.</source>
        <translation>Die Aufzeichnung davon bleibt auf diesem Computer, in eigenen Dateien.</translation>
    </message>
    <message>
        <source>The middle of the query is left out, because it is so long.</source>
        <translation>Die Mitte der Suche wird ausgelassen, weil sie so lang ist.</translation>
    </message>
    <message>
        <source>Drop the folder here to search its notes</source>
        <translation>Ordner hier ablegen, um seine Notizen zu durchsuchen</translation>
    </message>
    <message>
        <source>Learning</source>
        <translation>Lernen</translation>
    </message>
    <message>
        <source>Recently changed notes rank slightly higher</source>
        <translation>Kürzlich geänderte Notizen stehen etwas weiter oben</translation>
    </message>
    <message>
        <source>Preferred</source>
        <translation>Bevorzugt</translation>
    </message>
    <message>
        <source>One folder per line, such as journal/2026. Their notes rank slightly higher.</source>
        <translation>Ein Ordner pro Zeile, etwa journal/2026. Seine Notizen stehen etwas weiter oben.</translation>
    </message>
    <message>
        <source>Preferred folders</source>
        <translation>Bevorzugte Ordner</translation>
    </message>
    <message>
        <source>Search in code blocks too</source>
        <translation>Auch in Codeblöcken suchen</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>Detect for each note</source>
        <translation>In jeder Notiz erkennen</translation>
    </message>
    <message>
        <source>Decides which forms of a word match each other. A language in a note’s front matter takes precedence.</source>
        <translation>Bestimmt, welche Formen eines Wortes einander finden. Eine Sprache im Kopf einer Notiz geht vor.</translation>
    </message>
    <message>
        <source>Language of your notes</source>
        <translation>Sprache der Notizen</translation>
    </message>
    <message>
        <source>About</source>
        <translation>Info</translation>
    </message>
    <message>
        <source>Licences</source>
        <translation>Lizenzen</translation>
    </message>
    <message>
        <source>All licences…</source>
        <translation>Alle Lizenzen …</translation>
    </message>
    <message>
        <source>Copy diagnosis</source>
        <translation>Diagnose kopieren</translation>
    </message>
    <message>
        <source>Open log folder</source>
        <translation>Protokollordner öffnen</translation>
    </message>
    <message>
        <source>Not available.</source>
        <translation>Nicht verfügbar.</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>Version</translation>
    </message>
    <message>
        <source>Desktop</source>
        <translation>Desktop</translation>
    </message>
    <message>
        <source>Tray</source>
        <translation>Infobereich</translation>
    </message>
    <message>
        <source>Not available on this desktop now.</source>
        <translation>Auf diesem Desktop gerade nicht vorhanden.</translation>
    </message>
    <message>
        <source>notesearch: MIT. Language model all-MiniLM-L6-v2: Apache 2.0. Qt for Python: LGPL 3.0.</source>
        <translation>notesearch: MIT. Sprachmodell all-MiniLM-L6-v2: Apache 2.0. Qt for Python: LGPL 3.0.</translation>
    </message>
    <message>
        <source>Available.</source>
        <translation>Vorhanden.</translation>
    </message>
    <message>
        <source>Components</source>
        <translation>Bestandteile</translation>
    </message>
    <message>
        <source>Full licence text</source>
        <translation>Lizenz im Wortlaut</translation>
    </message>
    <message>
        <source>Global shortcut</source>
        <translation>Globales Tastenkürzel</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Darstellung</translation>
    </message>
    <message>
        <source>Forget what was learnt…</source>
        <translation>Gelerntes vergessen …</translation>
    </message>
    <message>
        <source>Forget which sections you opened for which queries?</source>
        <translation>Vergessen, welche Abschnitte Sie bei welchen Suchen geöffnet haben?</translation>
    </message>
    <message>
        <source>Starred and earlier queries stay, and so do your notes.</source>
        <translation>Gemerkte und frühere Suchen bleiben, Ihre Notizen ebenso.</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>Match system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Comfortable</source>
        <translation>Bequem</translation>
    </message>
    <message>
        <source>Compact</source>
        <translation>Kompakt</translation>
    </message>
    <message>
        <source>Show some text below each heading</source>
        <translation>Unter jeder Überschrift etwas Text zeigen</translation>
    </message>
    <message>
        <source>Same as the rest</source>
        <translation>Wie alles andere</translation>
    </message>
    <message>
        <source>Relative to your system’s text size.</source>
        <translation>Bezogen auf die Textgröße des Systems.</translation>
    </message>
    <message>
        <source>Result rows</source>
        <translation>Ergebniszeilen</translation>
    </message>
    <message>
        <source>Preview font</source>
        <translation>Schrift der Vorschau</translation>
    </message>
    <message>
        <source>Serif</source>
        <translation>Mit Serifen</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>Textgröße</translation>
    </message>
    <message>
        <source>Type a number from {least} to {most} here, not “{text}”.</source>
        <translation>Hier ist eine Zahl von {least} bis {most} möglich, nicht „{text}“.</translation>
    </message>
    <message>
        <source>Settings – notesearch</source>
        <translation>Einstellungen – notesearch</translation>
    </message>
    <message>
        <source>Settings pages</source>
        <translation>Seiten der Einstellungen</translation>
    </message>
    <message>
        <source>Editor</source>
        <translation>Editor</translation>
    </message>
    <message>
        <source>Open notes with</source>
        <translation>Notizen öffnen mit</translation>
    </message>
    <message>
        <source>Test with the current note</source>
        <translation>Mit der gezeigten Notiz ausprobieren</translation>
    </message>
    <message>
        <source>With {keys}</source>
        <translation>Mit {keys}</translation>
    </message>
    <message>
        <source>For notes: [[Note#Heading]]</source>
        <translation>Für Notizen: [[Notiz#Überschrift]]</translation>
    </message>
    <message>
        <source>For Obsidian: obsidian://open…</source>
        <translation>Für Obsidian: obsidian://open…</translation>
    </message>
    <message>
        <source>Link format</source>
        <translation>Form des kopierten Links</translation>
    </message>
    <message>
        <source>System default (opens at the top)</source>
        <translation>Standardprogramm (öffnet am Anfang)</translation>
    </message>
    <message>
        <source>Custom command</source>
        <translation>Eigener Befehl</translation>
    </message>
    <message>
        <source>Obsidian opens the note at the heading, or at the line if the Advanced URI plugin is installed.</source>
        <translation>Obsidian öffnet die Notiz an der Überschrift, mit dem Plugin Advanced URI an der Zeile.</translation>
    </message>
    <message>
        <source>The note opens at the top. The default program cannot jump to the line.</source>
        <translation>Die Notiz öffnet sich am Anfang. Das Standardprogramm kann nicht zur Zeile springen.</translation>
    </message>
    <message>
        <source>You can use {path}, {line}, {column}, {heading}, {vault} and {vault_path}. The command runs directly, without a shell.</source>
        <translation>Möglich sind {path}, {line}, {column}, {heading}, {vault} und {vault_path}. Der Befehl läuft direkt, ohne Shell.</translation>
    </message>
    <message>
        <source>{title}: command</source>
        <translation>{title}: Befehl</translation>
    </message>
    <message>
        <source>Runs: {command}</source>
        <translation>Startet: {command}</translation>
    </message>
    <message>
        <source>Opens: {link}</source>
        <translation>Öffnet: {link}</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>File types</source>
        <translation>Dateitypen</translation>
    </message>
    <message>
        <source>Largest note</source>
        <translation>Größte Notiz</translation>
    </message>
    <message>
        <source>Links</source>
        <translation>Links</translation>
    </message>
    <message>
        <source>Obsidian and GitHub</source>
        <translation>Obsidian und GitHub</translation>
    </message>
    <message>
        <source>Ignored</source>
        <translation>Nicht durchsucht</translation>
    </message>
    <message>
        <source>For example .md .markdown .mkd</source>
        <translation>Zum Beispiel .md .markdown .mkd</translation>
    </message>
    <message>
        <source>Search PDF, Canvas, Org, AsciiDoc, text and other files</source>
        <translation>PDF, Canvas, Org, AsciiDoc, Text und andere Dateien durchsuchen</translation>
    </message>
    <message>
        <source>Their pages, cards and headings appear in the results as sections.</source>
        <translation>Ihre Seiten, Karten und Überschriften erscheinen in den Ergebnissen als Abschnitte.</translation>
    </message>
    <message>
        <source>Other files</source>
        <translation>Andere Dateien</translation>
    </message>
    <message>
        <source>Larger files are not read, and are listed as unread.</source>
        <translation>Größere Dateien werden als nicht gelesen aufgeführt.</translation>
    </message>
    <message>
        <source>Follow symbolic links</source>
        <translation>Symbolischen Links folgen</translation>
    </message>
    <message>
        <source>Links may lead outside the folder. Each note is searched only once.</source>
        <translation>Links dürfen aus dem Ordner hinausführen. Jede Notiz wird nur einmal durchsucht.</translation>
    </message>
    <message>
        <source>Detect automatically (MkDocs or Obsidian)</source>
        <translation>Automatisch erkennen (MkDocs oder Obsidian)</translation>
    </message>
    <message>
        <source>Markdown flavour</source>
        <translation>Markdown-Variante</translation>
    </message>
    <message>
        <source>Rebuild index…</source>
        <translation>Neu aufbauen …</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>Im Ordner zeigen</translation>
    </message>
    <message>
        <source>{size} at {place}</source>
        <translation>{size} in {place}</translation>
    </message>
    <message>
        <source>Rebuild the index of “{folder}”?</source>
        <translation>Den Index von „{folder}“ neu aufbauen?</translation>
    </message>
    <message>
        <source>Your notes are not touched. You can search by words as soon as the notes are read; searching by meaning takes longer.</source>
        <translation>Die Notizen bleiben unberührt. Nach Wörtern können Sie suchen, sobald die Notizen gelesen sind; die Suche nach Bedeutung braucht länger.</translation>
    </message>
    <message>
        <source>Patterns for folders and files, one per line, as in .gitignore. A .notesearchignore file in the folder and Obsidian’s excluded files apply too.</source>
        <translation>Muster für Ordner und Dateien wie in .gitignore, eines je Zeile. Eine .notesearchignore im Ordner und die in Obsidian ausgeschlossenen Dateien gelten auch.</translation>
    </message>
    <message>
        <source>Index</source>
        <translation>Index</translation>
    </message>
    <message>
        <source>Rebuild the index</source>
        <translation>Index neu aufbauen</translation>
    </message>
    <message>
        <source>Rebuild</source>
        <translation>Neu aufbauen</translation>
    </message>
    <message>
        <source>Keep running in the tray when the window is closed</source>
        <translation>Im Infobereich weiterlaufen, wenn das Fenster geschlossen wird</translation>
    </message>
    <message>
        <source>Background</source>
        <translation>Hintergrund</translation>
    </message>
    <message>
        <source>The screen with the pointer</source>
        <translation>Bildschirm mit dem Mauszeiger</translation>
    </message>
    <message>
        <source>The main screen</source>
        <translation>Hauptbildschirm</translation>
    </message>
    <message>
        <source>On Wayland, the desktop decides the position.</source>
        <translation>Unter Wayland bestimmt der Desktop die Position.</translation>
    </message>
    <message>
        <source>Until you clear it</source>
        <translation>Bis Sie sie löschen</translation>
    </message>
    <message>
        <source>Close when another window gets the focus</source>
        <translation>Schließen, wenn ein anderes Fenster aktiv wird</translation>
    </message>
    <message>
        <source>Always close with Esc, even if the field has text</source>
        <translation>Mit Esc immer schließen, auch mit Text im Feld</translation>
    </message>
    <message>
        <source>If the shortcut does not work, bind this command to a key in your desktop’s settings:</source>
        <translation>Wenn das Tastenkürzel nicht geht, binden Sie diesen Befehl in den Einstellungen des Desktops an eine Taste:</translation>
    </message>
    <message>
        <source>Copy command</source>
        <translation>Befehl kopieren</translation>
    </message>
    <message>
        <source>Open on</source>
        <translation>Öffnen auf</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>Nie</translation>
    </message>
    <message>
        <source>Keep last query</source>
        <translation>Letzte Suche behalten</translation>
    </message>
    <message>
        <source>Focus</source>
        <translation>Fokus</translation>
    </message>
    <message>
        <source>Escape key</source>
        <translation>Esc-Taste</translation>
    </message>
    <message>
        <source>This desktop has no tray at the moment. Closing the window quits notesearch.</source>
        <translation>Dieser Desktop hat derzeit keinen Infobereich. Das Schließen des Fensters beendet notesearch.</translation>
    </message>
    <message>
        <source>Start at login</source>
        <translation>Beim Anmelden starten</translation>
    </message>
    <message>
        <source>Search</source>
        <comment>a page of the settings</comment>
        <translation>Suche</translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation>Bedeutung</translation>
    </message>
    <message>
        <source>built in</source>
        <translation>gehört zum Programm</translation>
    </message>
    <message>
        <source>available to download</source>
        <translation>kann heruntergeladen werden</translation>
    </message>
    <message>
        <source>retrieval score {score}</source>
        <translation>Retrieval-Wert {score}</translation>
    </message>
    <message>
        <source>kept in case you use it again</source>
        <translation>aufbewahrt, falls Sie es wieder wählen</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Verwenden</translation>
    </message>
    <message>
        <source>Download…</source>
        <translation>Herunterladen …</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Reranker</source>
        <translation>Reranker</translation>
    </message>
    <message>
        <source>Time limit</source>
        <translation>Zeitgrenze</translation>
    </message>
    <message>
        <source>OWNER/NAME of a sentence-transformers model on Hugging Face, or a folder with one. You see the size before anything is downloaded.</source>
        <translation>BESITZER/NAME eines Modells von sentence-transformers auf Hugging Face oder ein Ordner mit einem. Vor jedem Herunterladen wird die Größe genannt.</translation>
    </message>
    <message>
        <source>Vectors of earlier models are kept, so switching back is quick.</source>
        <translation>Vektoren früherer Modelle bleiben erhalten, damit die Rückkehr schnell geht.</translation>
    </message>
    <message>
        <source>The download is verified and stays at revision {revision}. After that, no network is used.</source>
        <translation>Der Download wird geprüft und bleibt bei Revision {revision}. Danach wird kein Netz benutzt.</translation>
    </message>
    <message>
        <source>{name} is downloaded. Press “Use” to switch to it.</source>
        <translation>{name} ist heruntergeladen. Mit „Verwenden“ wechseln Sie dazu.</translation>
    </message>
    <message>
        <source>A second model that re-reads the best results and improves their order.</source>
        <translation>Ein zweites Modell, das die besten Ergebnisse noch einmal liest und besser ordnet.</translation>
    </message>
    <message>
        <source>Sections that it cannot reach in this time keep their order, below the others.</source>
        <translation>Abschnitte, zu denen es in dieser Zeit nicht kommt, behalten ihre Reihenfolge hinter den anderen.</translation>
    </message>
    <message>
        <source>The extra is installed, so you can also use models without an ONNX file.</source>
        <translation>Das Extra ist installiert: Auch Modelle ohne ONNX-Datei lassen sich verwenden.</translation>
    </message>
    <message>
        <source>Another model</source>
        <translation>Anderes Modell</translation>
    </message>
    <message>
        <source>Look up…</source>
        <translation>Nachsehen …</translation>
    </message>
    <message>
        <source>Vectors in the index</source>
        <translation>Vektoren im Index</translation>
    </message>
    <message>
        <source>Delete vectors</source>
        <translation>Vektoren löschen</translation>
    </message>
    <message>
        <source>Vectors</source>
        <translation>Vektoren</translation>
    </message>
    <message>
        <source>Download {name}, {size}?</source>
        <translation>{name} herunterladen, {size}?</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>Herunterladen</translation>
    </message>
    <message>
        <source>Delete {name}, {size}?</source>
        <translation>{name} löschen, {size}?</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Models without an ONNX file, and GPUs, need the extra “notesearch[sentence-transformers]”. It takes about 1.2 GB (5 GB with CUDA) and makes the first search a few seconds slower.</source>
        <translation>Modelle ohne ONNX-Datei und Grafikprozessoren brauchen das Extra „notesearch[sentence-transformers]“. Es belegt etwa 1,2 GB (mit CUDA 5 GB) und macht die erste Suche einige Sekunden langsamer.</translation>
    </message>
    <message>
        <source>None</source>
        <comment>no model</comment>
        <translation>Keiner</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>Reihenfolge</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>Entfernen …</translation>
    </message>
    <message>
        <source>Notes folders</source>
        <translation>Notizordner</translation>
    </message>
    <message>
        <source>{name}, open</source>
        <translation>{name}, gerade geöffnet</translation>
    </message>
    <message>
        <source>Add folder…</source>
        <translation>Hinzufügen …</translation>
    </message>
    <message>
        <source>Remove a folder from the list</source>
        <translation>Ordner aus der Liste entfernen</translation>
    </message>
    <message>
        <source>Remove “{name}” from the list?</source>
        <translation>„{name}“ aus der Liste entfernen?</translation>
    </message>
    <message>
        <source>Your notes stay where they are: {path}</source>
        <translation>Die Notizen bleiben, wo sie sind: {path}</translation>
    </message>
    <message>
        <source>Also delete its index (it can be rebuilt from the notes)</source>
        <translation>Auch den Index löschen (er lässt sich aus den Notizen neu aufbauen)</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Press shortcut</source>
        <translation>Tasten drücken</translation>
    </message>
    <message>
        <source>Change in desktop settings…</source>
        <translation>In den Einstellungen des Desktops ändern …</translation>
    </message>
    <message>
        <source>installed</source>
        <translation>installiert</translation>
    </message>
    <message>
        <source>in use</source>
        <translation>wird verwendet</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Freed {size}.</source>
        <translation>{size} sind wieder frei.</translation>
    </message>
    <message>
        <source>{name}: {speed} passages per second, {query} ms per query, {memory} MB of memory.</source>
        <translation>{name}: {speed} Textstellen in der Sekunde, {query} ms je Suchanfrage, {memory} MB Arbeitsspeicher.</translation>
    </message>
    <message>
        <source>On average they agree on {shared} of the ten nearest passages.</source>
        <translation>Im Mittel stimmen sie bei {shared} der zehn ähnlichsten Textstellen überein.</translation>
    </message>
    <message>
        <source>Type at least one file type here, such as .md.</source>
        <translation>Geben Sie mindestens einen Dateityp an, etwa .md.</translation>
    </message>
    <message>
        <source>No file in your notes folder ends in {types}, so nothing was changed.</source>
        <translation>Keine Datei im Notizordner endet auf {types}. Daher wurde nichts geändert.</translation>
    </message>
    <message>
        <source>This cannot be a global shortcut. Choose another.</source>
        <translation>Das kann kein globales Tastenkürzel sein. Wählen Sie ein anderes.</translation>
    </message>
    <message>
        <source>A global shortcut needs Ctrl, Alt or a function key. Choose another.</source>
        <translation>Ein globales Tastenkürzel braucht Strg, Alt oder eine Funktionstaste. Wählen Sie ein anderes.</translation>
    </message>
    <message>
        <source>Alt+Space opens the window menu on many desktops. Choose another.</source>
        <translation>Alt+Leertaste öffnet auf vielen Desktops das Fenstermenü. Wählen Sie ein anderes Kürzel.</translation>
    </message>
    <message>
        <source>Ctrl+Alt with a letter types a character on many keyboards. Choose another.</source>
        <translation>Strg+Alt mit einem Buchstaben schreibt auf vielen Tastaturen ein Zeichen. Wählen Sie ein anderes Kürzel.</translation>
    </message>
    <message>
        <source>Other programs use Ctrl with a letter. Choose another.</source>
        <translation>Andere Programme verwenden Strg mit einem Buchstaben. Wählen Sie ein anderes Kürzel.</translation>
    </message>
    <message>
        <source>Quick search in your notes</source>
        <translation>Schnellsuche in den Notizen</translation>
    </message>
    <message>
        <source>The request for a shortcut was declined.</source>
        <translation>Die Anfrage nach einem Tastenkürzel wurde abgelehnt.</translation>
    </message>
    <message>
        <source>Your desktop has not assigned a key to the shortcut. Choose one in its settings.</source>
        <translation>Der Desktop hat dem Kürzel noch keine Taste gegeben. Wählen Sie eine in seinen Einstellungen.</translation>
    </message>
    <message>
        <source>Change the shortcut in your desktop’s keyboard settings.</source>
        <translation>Ändern Sie das Tastenkürzel in den Tastatureinstellungen des Desktops.</translation>
    </message>
    <message>
        <source>Your desktop does not answer requests for a shortcut.</source>
        <translation>Der Desktop antwortet nicht auf Anfragen nach einem Tastenkürzel.</translation>
    </message>
    <message>
        <source>No global shortcut is set.</source>
        <translation>Es ist kein globales Tastenkürzel festgelegt.</translation>
    </message>
    <message>
        <source>Active: {keys} opens quick search from anywhere.</source>
        <translation>Aktiv: {keys} öffnet die Schnellsuche von überall.</translation>
    </message>
    <message>
        <source>Waiting for your desktop to confirm the shortcut.</source>
        <translation>Der Desktop muss das Tastenkürzel noch bestätigen.</translation>
    </message>
    <message>
        <source>{keys} is already used by another program. Choose another.</source>
        <translation>Ein anderes Programm benutzt schon {keys}. Wählen Sie ein anderes Kürzel.</translation>
    </message>
    <message>
        <source>Not available on this desktop. Bind the command “notesearch quick” to a key in your desktop’s settings.</source>
        <translation>Auf diesem Desktop nicht verfügbar. Binden Sie den Befehl „notesearch quick“ in seinen Einstellungen an eine Taste.</translation>
    </message>
    <message>
        <source>Your keyboard does not have this key. Choose another.</source>
        <translation>Ihre Tastatur hat diese Taste nicht. Wählen Sie eine andere.</translation>
    </message>
    <message>
        <source>Open in {program}</source>
        <translation>In {program} öffnen</translation>
    </message>
    <message>
        <source>Open at line</source>
        <translation>An der Zeile öffnen</translation>
    </message>
    <message>
        <source>Open in the second editor</source>
        <translation>Im zweiten Editor öffnen</translation>
    </message>
    <message>
        <source>d MMM yyyy</source>
        <translation>d. MMM yyyy</translation>
    </message>
    <message>
        <source>d MMM</source>
        <translation>d. MMM</translation>
    </message>
    <message>
        <source>HH:mm</source>
        <translation>HH:mm</translation>
    </message>
    <message>
        <source>today {time}</source>
        <translation>heute {time}</translation>
    </message>
    <message>
        <source>{day}, {time}</source>
        <translation>{day}, {time}</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Eingabe</translation>
    </message>
</context>
<context>
    <name>library</name>
    <message>
        <source>The notes folder {vault} is missing. Check its path, or connect its drive.</source>
        <translation>Der Notizordner {vault} fehlt. Prüfen Sie seinen Pfad oder schließen Sie sein Laufwerk an.</translation>
    </message>
    <message>
        <source>The notes folder {vault} cannot be opened: {reason}. Check its drive and its permissions.</source>
        <translation>Der Notizordner {vault} lässt sich nicht öffnen: {reason}. Prüfen Sie sein Laufwerk und seine Zugriffsrechte.</translation>
    </message>
    <message>
        <source>Your notes cannot be opened ({error}). Start notesearch again.</source>
        <translation>Ihre Notizen lassen sich nicht öffnen ({error}). Starten Sie notesearch neu.</translation>
    </message>
    <message>
        <source>{vault} is a file. Give the folder that contains it.</source>
        <translation>{vault} ist eine Datei. Geben Sie den Ordner an, in dem sie liegt.</translation>
    </message>
    <message>
        <source>No notes folder is called “{name}”. Use one of these: {near}.</source>
        <translation>Kein Ordner heißt „{name}“. Wählen Sie einen von diesen: {near}.</translation>
    </message>
    <message>
        <source>There is no notes folder in the list. Add one with “notesearch vaults add”.</source>
        <translation>In der Liste steht kein Notizordner. Fügen Sie einen mit „notesearch vaults add“ hinzu.</translation>
    </message>
    <message>
        <source>“{vault}” is not up to date: {reason}</source>
        <translation>„{vault}“ ist nicht aktuell: {reason}</translation>
    </message>
    <message>
        <source>“{vault}” was not searched: {reason}</source>
        <translation>„{vault}“ wurde nicht durchsucht: {reason}</translation>
    </message>
    <message numerus="yes">
        <source>The notes folder {vault} is empty, but it held {count} notes before. If you deleted the notes yourself, run “notesearch index” twice to confirm that.</source>
        <translation>
            <numerusform>Der Notizordner {vault} ist leer, enthielt zuvor aber {count} Notiz. Wenn Sie diese selbst gelöscht haben, bestätigen Sie das, indem Sie „notesearch index“ zweimal ausführen.</numerusform>
            <numerusform>Der Notizordner {vault} ist leer, enthielt zuvor aber {count} Notizen. Wenn Sie die Notizen selbst gelöscht haben, bestätigen Sie das, indem Sie „notesearch index“ zweimal ausführen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} notes are missing from the notes folder {vault}. If you deleted them yourself, run “notesearch index” twice to confirm that.</source>
        <translation>
            <numerusform>Im Notizordner {vault} fehlt {count} Notiz. Wenn Sie diese selbst gelöscht haben, bestätigen Sie das, indem Sie „notesearch index“ zweimal ausführen.</numerusform>
            <numerusform>Im Notizordner {vault} fehlen {count} Notizen. Wenn Sie sie selbst gelöscht haben, bestätigen Sie das, indem Sie „notesearch index“ zweimal ausführen.</numerusform>
        </translation>
    </message>
    <message>
        <source>“{path}” is not in the notes folder. Choose a note that is.</source>
        <translation>„{path}“ liegt nicht im Notizordner. Wählen Sie eine Notiz darin.</translation>
    </message>
    <message>
        <source>“{path}” cannot be the path of a note. Check it for typos.</source>
        <translation>„{path}“ kann nicht der Pfad einer Notiz sein. Prüfen Sie die Schreibweise.</translation>
    </message>
    <message>
        <source>“{path}” was moved or deleted since the last update. Search for it again.</source>
        <translation>„{path}“ wurde seit der letzten Aktualisierung verschoben oder gelöscht. Suchen Sie die Notiz noch einmal.</translation>
    </message>
    <message>
        <source>“{path}” cannot be read: {reason}. Check its permissions.</source>
        <translation>„{path}“ lässt sich nicht lesen: {reason}. Prüfen Sie die Zugriffsrechte.</translation>
    </message>
    <message>
        <source>“{path}” cannot be read. {why}</source>
        <translation>„{path}“ lässt sich nicht lesen. {why}</translation>
    </message>
    <message>
        <source>There is no note “{name}”. Correct the link.</source>
        <translation>Es gibt keine Notiz „{name}“. Berichtigen Sie den Link.</translation>
    </message>
    <message>
        <source>“{path}” is empty or not indexed yet. Choose another note, or update the index.</source>
        <translation>„{path}“ ist leer oder noch nicht indexiert. Wählen Sie eine andere Notiz, oder aktualisieren Sie den Index.</translation>
    </message>
    <message>
        <source>No note is called “{name}”. Search for a word that it contains.</source>
        <translation>Keine Notiz heißt „{name}“. Suchen Sie nach einem Wort darin.</translation>
    </message>
    <message>
        <source>No note is called “{name}”. Did you mean {near}?</source>
        <translation>Keine Notiz heißt „{name}“. Meinten Sie {near}?</translation>
    </message>
    <message numerus="yes">
        <source>{count} notes are called “{name}”: {paths}. Give the path.</source>
        <translation>
            <numerusform>{count} Notiz heißt „{name}“: {paths}. Geben Sie den Pfad an.</numerusform>
            <numerusform>{count} Notizen heißen „{name}“: {paths}. Geben Sie den Pfad an.</numerusform>
        </translation>
    </message>
    <message>
        <source>{path} has no section “{section}”. Its sections: {sections:; }</source>
        <translation>{path} hat keinen Abschnitt „{section}“. Die Abschnitte: {sections:; }</translation>
    </message>
    <message>
        <source>{path} has no section “{section}”. Its sections: {sections:; }; and {more} more</source>
        <translation>{path} hat keinen Abschnitt „{section}“. Die Abschnitte: {sections:; }; und {more} weitere</translation>
    </message>
    <message>
        <source>{path} has no section “{section}”. The note is empty.</source>
        <translation>{path} hat keinen Abschnitt „{section}“. Die Notiz ist leer.</translation>
    </message>
    <message>
        <source>{path} has more than one section “{section}”. Choose one of these names: {sections:; }</source>
        <translation>{path} hat mehr als einen Abschnitt „{section}“. Wählen Sie einen dieser Namen: {sections:; }</translation>
    </message>
    <message>
        <source>This continuation is unknown. Ask again without one.</source>
        <translation>Diese Fortsetzung ist unbekannt. Fragen Sie noch einmal ohne sie.</translation>
    </message>
    <message>
        <source>This continuation belongs to another note, section or list. Ask again without one.</source>
        <translation>Diese Fortsetzung gehört zu einer anderen Notiz, einem anderen Abschnitt oder einer anderen Liste. Fragen Sie noch einmal ohne sie.</translation>
    </message>
    <message>
        <source>The note has changed since you read its first page. Read it again from the start, without a continuation.</source>
        <translation>Die Notiz hat sich seit ihrer ersten Seite geändert. Lesen Sie sie noch einmal von Anfang an, ohne Fortsetzung.</translation>
    </message>
    <message>
        <source>It cannot be read: {reason}.</source>
        <translation>Sie lässt sich nicht lesen: {reason}.</translation>
    </message>
    <message>
        <source>There is not enough memory for it. Close other programs.</source>
        <translation>Der Arbeitsspeicher reicht dafür nicht. Schließen Sie andere Programme.</translation>
    </message>
    <message>
        <source>It is not a regular file.</source>
        <translation>Keine gewöhnliche Datei.</translation>
    </message>
    <message>
        <source>It is too large ({size}; the limit is {limit}). Raise “max_note_bytes” in the settings.</source>
        <translation>Zu groß ({size}; die Grenze liegt bei {limit}). Erhöhen Sie „max_note_bytes“ in den Einstellungen.</translation>
    </message>
    <message>
        <source>Its name is not valid Unicode. Rename the file.</source>
        <translation>Der Name ist kein gültiges Unicode. Umbenennen hilft.</translation>
    </message>
    <message>
        <source>Its name looks like the name of another note. Rename one of them.</source>
        <translation>Der Name sieht aus wie der einer anderen Notiz. Benennen Sie eine von beiden um.</translation>
    </message>
    <message>
        <source>It is not a text file.</source>
        <translation>Keine Textdatei.</translation>
    </message>
    <message>
        <source>Some characters are not valid {encoding} and may be read wrongly.</source>
        <translation>Einige Zeichen sind kein gültiges {encoding} und werden vielleicht falsch gelesen.</translation>
    </message>
    <message>
        <source>It was read as {encoding}, not UTF-8.</source>
        <translation>Als {encoding} gelesen, nicht als UTF-8.</translation>
    </message>
    <message>
        <source>It was read as UTF-16, although it has no byte-order mark.</source>
        <translation>Als UTF-16 gelesen, obwohl die Datei keine Bytereihenfolge-Marke hat.</translation>
    </message>
    <message>
        <source>It is encrypted. Save a copy without a password to search it.</source>
        <translation>Die Datei ist verschlüsselt. Speichern Sie eine Kopie ohne Passwort, um sie zu durchsuchen.</translation>
    </message>
    <message>
        <source>Its pages are pictures without text. Run text recognition (OCR) on it.</source>
        <translation>Die Seiten sind Bilder ohne Text. Wenden Sie eine Texterkennung (OCR) an.</translation>
    </message>
    <message>
        <source>It is damaged, or its name has the wrong file type. Try to open it in its own program.</source>
        <translation>Die Datei ist beschädigt oder hat die falsche Endung. Versuchen Sie, sie in ihrem eigenen Programm zu öffnen.</translation>
    </message>
    <message>
        <source>Reading it took too much time or memory. Split it into several files.</source>
        <translation>Das Lesen hat zu lange gedauert oder zu viel Speicher gebraucht. Teilen Sie die Datei auf.</translation>
    </message>
    <message>
        <source>Only its first {limit} pages are searched.</source>
        <translation>Nur die ersten {limit} Seiten werden durchsucht.</translation>
    </message>
    <message>
        <source>Another version of notesearch could not read it completely.</source>
        <translation>Eine andere Version von notesearch konnte sie nicht ganz lesen.</translation>
    </message>
    <message>
        <source>It is unusually long or deeply nested. Only its lines up to {lines} are read as Markdown. The rest is searched as plain text.</source>
        <translation>Ungewöhnlich lang oder tief verschachtelt. Nur die Zeilen bis {lines} werden als Markdown gelesen; der Rest wird als einfacher Text durchsucht.</translation>
    </message>
    <message>
        <source>Only its first {limit} characters are searched.</source>
        <translation>Nur die ersten {limit} Zeichen werden durchsucht.</translation>
    </message>
    <message>
        <source>Only its first {limit} headings become sections. The rest is searched as part of the last one.</source>
        <translation>Nur die ersten {limit} Überschriften werden zu Abschnitten. Der Rest wird als Teil des letzten durchsucht.</translation>
    </message>
    <message>
        <source>Only its first {limit} links and tags count. The others are plain text.</source>
        <translation>Nur die ersten {limit} Links und Schlagwörter zählen. Die übrigen sind einfacher Text.</translation>
    </message>
    <message>
        <source>Only its first {limit} tags and aliases count.</source>
        <translation>Nur die ersten {limit} Schlagwörter und Aliasse zählen.</translation>
    </message>
    <message>
        <source>Only its first {limit} passages are searched by meaning. The rest is searched by words alone.</source>
        <translation>Nur die ersten {limit} Textstellen werden nach Bedeutung durchsucht. Der Rest wird nur nach Wörtern durchsucht.</translation>
    </message>
    <message>
        <source>This folder cannot be listed: {reason}. Check its permissions.</source>
        <translation>Dieser Ordner lässt sich nicht auflisten: {reason}. Prüfen Sie seine Zugriffsrechte.</translation>
    </message>
    <message>
        <source>It is a link to another file. Links are not followed.</source>
        <translation>Ein Link auf eine andere Datei. Links werden nicht verfolgt.</translation>
    </message>
    <message>
        <source>It is a link to another folder. Links are not followed.</source>
        <translation>Ein Link auf einen anderen Ordner. Links werden nicht verfolgt.</translation>
    </message>
    <message>
        <source>It is a link to something that does not exist right now.</source>
        <translation>Ein Link auf etwas, das es gerade nicht gibt.</translation>
    </message>
    <message>
        <source>It is a link to a folder that contains this one, so it is not followed.</source>
        <translation>Ein Link auf einen Ordner, der diesen enthält. Er wird nicht verfolgt.</translation>
    </message>
    <message>
        <source>It is a link to a folder that is already searched.</source>
        <translation>Ein Link auf einen Ordner, der schon durchsucht wird.</translation>
    </message>
    <message>
        <source>It is a link to a note that is already searched.</source>
        <translation>Ein Link auf eine Notiz, die schon durchsucht wird.</translation>
    </message>
    <message numerus="yes">
        <source>Only the first {count} patterns are used. Delete some.</source>
        <translation>
            <numerusform>Nur das erste {count} Muster gilt. Löschen Sie einige.</numerusform>
            <numerusform>Nur die ersten {count} Muster gelten. Löschen Sie einige.</numerusform>
        </translation>
    </message>
    <message>
        <source>Pattern {number} (“{pattern}”) has too many wildcards. Use fewer.</source>
        <translation>Muster {number} („{pattern}“) hat zu viele Platzhalter. Verwenden Sie weniger.</translation>
    </message>
    <message>
        <source>Pattern {number} (“{pattern}”) is not valid. Correct it.</source>
        <translation>Muster {number} („{pattern}“) ist ungültig. Berichtigen Sie es.</translation>
    </message>
    <message>
        <source>The folder cannot be watched ({reason}). notesearch looks for changes from time to time instead.</source>
        <translation>Der Ordner lässt sich nicht beobachten ({reason}). notesearch sucht stattdessen von Zeit zu Zeit nach Änderungen.</translation>
    </message>
    <message>
        <source>The folder cannot be watched ({reason}). notesearch looks for changes from time to time instead. Raise {limit} (sysctl) to see them at once.</source>
        <translation>Der Ordner lässt sich nicht beobachten ({reason}). notesearch sucht stattdessen von Zeit zu Zeit nach Änderungen. Erhöhen Sie {limit} (sysctl), um sie sofort zu sehen.</translation>
    </message>
    <message>
        <source>The file system of the folder ({type}) does not report every change. notesearch looks for changes from time to time as well.</source>
        <translation>Das Dateisystem des Ordners ({type}) meldet nicht jede Änderung. notesearch sucht zusätzlich von Zeit zu Zeit nach Änderungen.</translation>
    </message>
    <message numerus="yes">
        <source>{count} folders cannot be watched because the system allows no more. Raise fs.inotify.max_user_watches (sysctl) to see changes at once.</source>
        <translation>
            <numerusform>{count} Ordner lässt sich nicht beobachten, weil das System nicht mehr erlaubt. Erhöhen Sie fs.inotify.max_user_watches (sysctl), um Änderungen sofort zu sehen.</numerusform>
            <numerusform>{count} Ordner lassen sich nicht beobachten, weil das System nicht mehr erlaubt. Erhöhen Sie fs.inotify.max_user_watches (sysctl), um Änderungen sofort zu sehen.</numerusform>
        </translation>
    </message>
    <message>
        <source>The notes in {vault} are not indexed yet. Run “notesearch index”.</source>
        <translation>Die Notizen in {vault} sind noch nicht indexiert. Führen Sie „notesearch index“ aus.</translation>
    </message>
    <message>
        <source>This folder is already being indexed. Wait until that has finished.</source>
        <translation>Dieser Ordner wird schon indexiert. Warten Sie, bis das fertig ist.</translation>
    </message>
    <message>
        <source>Another notesearch is indexing this folder. This one only searches until you quit that one.</source>
        <translation>Ein anderes notesearch indexiert diesen Ordner. Dieses sucht nur, bis Sie das andere beenden.</translation>
    </message>
    <message>
        <source>Another notesearch is updating the index. This one continues afterwards.</source>
        <translation>Ein anderes notesearch aktualisiert den Index. Dieses macht danach weiter.</translation>
    </message>
    <message>
        <source>The index’s lock file was deleted. Indexing starts again in a moment.</source>
        <translation>Die Sperrdatei des Index wurde gelöscht. Das Indexieren beginnt gleich von Neuem.</translation>
    </message>
    <message>
        <source>Another program is using the index. Try again.</source>
        <translation>Ein anderes Programm benutzt den Index. Versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>The index {file} was damaged and is being rebuilt. Your notes are not affected.</source>
        <translation>Der Index {file} war beschädigt und wird neu aufgebaut. Ihre Notizen sind nicht betroffen.</translation>
    </message>
    <message>
        <source>The text in the index was damaged and is being rebuilt. Your notes are not affected.</source>
        <translation>Der Text im Index war beschädigt und wird neu aufgebaut. Ihre Notizen sind nicht betroffen.</translation>
    </message>
    <message>
        <source>The index {file} was incomplete and is being rebuilt.</source>
        <translation>Der Index {file} war unvollständig und wird neu aufgebaut.</translation>
    </message>
    <message>
        <source>The index {file} was made by another version and is being rebuilt.</source>
        <translation>Der Index {file} stammt von einer anderen Version und wird neu aufgebaut.</translation>
    </message>
    <message>
        <source>Another version of notesearch is using the index. Quit that version; it may be running in the tray.</source>
        <translation>Eine andere Version von notesearch benutzt den Index. Beenden Sie diese Version; vielleicht läuft sie im Infobereich.</translation>
    </message>
    <message>
        <source>The index file was deleted or replaced and is being rebuilt.</source>
        <translation>Die Indexdatei wurde gelöscht oder ersetzt und wird neu aufgebaut.</translation>
    </message>
    <message>
        <source>A check found the index damaged. It was rebuilt.</source>
        <translation>Bei einer Prüfung war der Index beschädigt. Er wurde neu aufgebaut.</translation>
    </message>
    <message>
        <source>Rebuilding the index. You can search notes as soon as they are read.</source>
        <translation>Der Index wird neu aufgebaut. Sie können Notizen suchen, sobald sie gelesen sind.</translation>
    </message>
    <message>
        <source>This build of apsw lacks SQLite’s checksums. Install it again with “pip install --force-reinstall apsw”.</source>
        <translation>Dieser Version von apsw fehlen die Prüfsummen von SQLite. Installieren Sie apsw neu mit „pip install --force-reinstall apsw“.</translation>
    </message>
    <message>
        <source>There is no space left for the index in {folder}. Free some space and try again.</source>
        <translation>Für den Index ist in {folder} kein Platz mehr. Schaffen Sie Platz und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>There is not enough memory for this. The index has not changed. Try again.</source>
        <translation>Der Arbeitsspeicher reicht dafür nicht. Der Index hat sich nicht geändert. Versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>The model in {folder} failed ({error}). Install it again, or choose another model.</source>
        <translation>Das Modell in {folder} ist gescheitert ({error}). Installieren Sie es neu, oder wählen Sie ein anderes.</translation>
    </message>
    <message>
        <source>The index {file} cannot be opened or written, because the system reports an error. Check the disk.</source>
        <translation>Der Index {file} lässt sich nicht öffnen oder schreiben, weil das System einen Fehler meldet. Prüfen Sie den Datenträger.</translation>
    </message>
    <message>
        <source>The pattern “{pattern}” in Obsidian’s excluded files is not valid, or too costly. Correct it there.</source>
        <translation>Das Muster „{pattern}“ in Obsidians ausgeschlossenen Dateien ist ungültig oder zu aufwendig. Berichtigen Sie es dort.</translation>
    </message>
    <message>
        <source>The index {file} cannot be opened or written, because its disk is read-only. Set NOTESEARCH_HOME to a folder on another disk.</source>
        <translation>Der Index {file} lässt sich nicht öffnen oder schreiben, weil sein Datenträger schreibgeschützt ist. Setzen Sie NOTESEARCH_HOME auf einen Ordner auf einem anderen Datenträger.</translation>
    </message>
    <message>
        <source>The index {file} cannot be opened or written, because you do not have permission. Check the permissions of its folder.</source>
        <translation>Der Index {file} lässt sich nicht öffnen oder schreiben, weil Ihnen die Berechtigung fehlt. Prüfen Sie die Berechtigungen seines Ordners.</translation>
    </message>
    <message>
        <source>The index folder {folder} cannot be created: {reason}. Set NOTESEARCH_HOME to another folder.</source>
        <translation>Der Indexordner {folder} lässt sich nicht anlegen: {reason}. Setzen Sie NOTESEARCH_HOME auf einen anderen Ordner.</translation>
    </message>
    <message>
        <source>The index folder {folder} cannot be written: {reason}. Set NOTESEARCH_HOME to another folder.</source>
        <translation>Der Indexordner {folder} lässt sich nicht beschreiben: {reason}. Setzen Sie NOTESEARCH_HOME auf einen anderen Ordner.</translation>
    </message>
    <message>
        <source>The index {file} cannot be deleted: {reason}. Quit programs that use it, and try again.</source>
        <translation>Der Index {file} lässt sich nicht löschen: {reason}. Beenden Sie Programme, die ihn benutzen, und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>Not everything was forgotten, because {file} cannot be deleted: {reason}. Delete it yourself.</source>
        <translation>Es wurde nicht alles vergessen, weil sich {file} nicht löschen lässt: {reason}. Löschen Sie die Datei selbst.</translation>
    </message>
    <message>
        <source>The damaged index {file} cannot be moved: {reason}. Delete it yourself.</source>
        <translation>Der beschädigte Index {file} lässt sich nicht verschieben: {reason}. Löschen Sie ihn selbst.</translation>
    </message>
    <message>
        <source>The index is on a file system ({type}) where programs cannot share memory, so writing takes longer. Set NOTESEARCH_HOME to a folder on a disk of this computer.</source>
        <translation>Der Index liegt auf einem Dateisystem ({type}), auf dem Programme keinen Speicher teilen können; das Schreiben dauert deshalb länger. Setzen Sie NOTESEARCH_HOME auf einen Ordner auf einer Festplatte dieses Computers.</translation>
    </message>
    <message>
        <source>Other users of this computer can read the index, because the drive of {folder} does not support permissions. Set NOTESEARCH_HOME to a folder on another drive.</source>
        <translation>Andere Benutzer dieses Computers können den Index lesen, weil das Laufwerk von {folder} keine Zugriffsrechte kennt. Setzen Sie NOTESEARCH_HOME auf einen Ordner auf einem anderen Laufwerk.</translation>
    </message>
    <message>
        <source>Other users of this computer may be able to read the index, because {folder} is not in your profile. Set NOTESEARCH_HOME to a folder in it.</source>
        <translation>Andere Benutzer dieses Computers können den Index vielleicht lesen, weil {folder} nicht in Ihrem Profil liegt. Setzen Sie NOTESEARCH_HOME auf einen Ordner darin.</translation>
    </message>
    <message>
        <source>Indexing failed because of a bug in notesearch ({error}) and starts again by itself. You can keep searching. The log says more.</source>
        <translation>Das Indexieren ist an einem Fehler in notesearch gescheitert ({error}) und beginnt von selbst noch einmal. Sie können weiter suchen. Im Protokoll steht mehr.</translation>
    </message>
    <message>
        <source>Something went wrong. Your notes are safe. Details are in {file}.</source>
        <translation>Etwas ist schiefgegangen. Die Notizen sind nicht betroffen. Einzelheiten stehen in {file}.</translation>
    </message>
    <message>
        <source>Nothing to compare with yet: index some notes first.</source>
        <translation>Noch gibt es nichts zum Vergleichen: Indexieren Sie zuerst einige Notizen.</translation>
    </message>
    <message>
        <source>The index file is damaged. Your notes are not affected.</source>
        <translation>Die Indexdatei ist beschädigt. Ihre Notizen sind nicht betroffen.</translation>
    </message>
    <message>
        <source>The index file was made by another version.</source>
        <translation>Die Indexdatei stammt von einer anderen Version.</translation>
    </message>
    <message numerus="yes">
        <source>{count} passages have no vector, and none is being computed.</source>
        <translation>
            <numerusform>{count} Textstelle hat keinen Vektor, und keiner wird berechnet.</numerusform>
            <numerusform>{count} Textstellen haben keinen Vektor, und keiner wird berechnet.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} sections have a heading path without a vector, and none is being computed.</source>
        <translation>
            <numerusform>{count} Abschnitt hat einen Überschriftenpfad ohne Vektor, und keiner wird berechnet.</numerusform>
            <numerusform>{count} Abschnitte haben einen Überschriftenpfad ohne Vektor, und keiner wird berechnet.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} vectors are missing from the search table.</source>
        <translation>
            <numerusform>{count} Vektor fehlt in der Suchtabelle.</numerusform>
            <numerusform>{count} Vektoren fehlen in der Suchtabelle.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} vectors belong to no passage but can still be found.</source>
        <translation>
            <numerusform>{count} Vektor gehört zu keiner Textstelle, wird aber noch gefunden.</numerusform>
            <numerusform>{count} Vektoren gehören zu keiner Textstelle, werden aber noch gefunden.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} vectors differ between the search table and the store.</source>
        <translation>
            <numerusform>{count} Vektor in der Suchtabelle weicht von dem gespeicherten ab.</numerusform>
            <numerusform>{count} Vektoren in der Suchtabelle weichen von den gespeicherten ab.</numerusform>
        </translation>
    </message>
    <message>
        <source>The vectors cannot be searched.</source>
        <translation>Die Vektoren lassen sich nicht durchsuchen.</translation>
    </message>
    <message numerus="yes">
        <source>{count} notes are not indexed yet.</source>
        <translation>
            <numerusform>{count} Notiz ist noch nicht indexiert.</numerusform>
            <numerusform>{count} Notizen sind noch nicht indexiert.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} notes have changed since the last update.</source>
        <translation>
            <numerusform>{count} Notiz hat sich seit der letzten Aktualisierung geändert.</numerusform>
            <numerusform>{count} Notizen haben sich seit der letzten Aktualisierung geändert.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} notes are gone but still indexed.</source>
        <translation>
            <numerusform>{count} Notiz gibt es nicht mehr, sie ist aber noch indexiert.</numerusform>
            <numerusform>{count} Notizen gibt es nicht mehr, sie sind aber noch indexiert.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} notes differ from the index despite an unchanged date.</source>
        <translation>
            <numerusform>{count} Notiz weicht vom Index ab, obwohl ihr Datum gleich geblieben ist.</numerusform>
            <numerusform>{count} Notizen weichen vom Index ab, obwohl ihr Datum gleich geblieben ist.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{count} passages wait for a vector.</source>
        <translation>
            <numerusform>{count} Textstelle wartet auf ihren Vektor.</numerusform>
            <numerusform>{count} Textstellen warten auf ihren Vektor.</numerusform>
        </translation>
    </message>
    <message>
        <source>The damaged index file was set aside and the index was rebuilt.</source>
        <translation>Die beschädigte Indexdatei wurde beiseitegelegt und der Index neu aufgebaut.</translation>
    </message>
    <message>
        <source>The search table of the vectors was rebuilt from the stored ones.</source>
        <translation>Die Suchtabelle der Vektoren wurde aus den gespeicherten neu aufgebaut.</translation>
    </message>
    <message>
        <source>The index was brought up to date with the folder.</source>
        <translation>Der Index wurde auf den Stand des Ordners gebracht.</translation>
    </message>
    <message>
        <source>The search was cancelled.</source>
        <translation>Die Suche wurde abgebrochen.</translation>
    </message>
    <message>
        <source>No notes match “{filters:” and “}” together.</source>
        <translation>Keine Notizen passen zugleich zu „{filters:“ und „}“.</translation>
    </message>
    <message>
        <source>No notes match “{filter}”.</source>
        <translation>Keine Notizen passen zu „{filter}“.</translation>
    </message>
    <message numerus="yes">
        <source>{path} has only {count} lines. Choose a range within them.</source>
        <translation>
            <numerusform>{path} hat nur {count} Zeile. Wählen Sie diese.</numerusform>
            <numerusform>{path} hat nur {count} Zeilen. Wählen Sie einen Bereich darin.</numerusform>
        </translation>
    </message>
    <message>
        <source>It cannot be read because of a bug in notesearch ({error}). Report the bug.</source>
        <translation>Sie lässt sich wegen eines Fehlers in notesearch nicht lesen ({error}). Melden Sie den Fehler.</translation>
    </message>
    <message>
        <source>No drive is mounted on this folder now. Its notes can still be found; to remove them, delete the folder.</source>
        <translation>In diesen Ordner ist gerade kein Laufwerk eingehängt. Seine Notizen werden weiter gefunden; um sie zu entfernen, löschen Sie den Ordner.</translation>
    </message>
    <message>
        <source>The index is inconsistent. Your notes are not affected.</source>
        <translation>Der Index ist in sich widersprüchlich. Ihre Notizen sind nicht betroffen.</translation>
    </message>
    <message>
        <source>No notes match “{filter}”. Did you mean {near}?</source>
        <translation>Keine Notizen passen zu „{filter}“. Meinten Sie {near}?</translation>
    </message>
    <message>
        <source>Search by meaning is off in the settings.</source>
        <translation>Die Suche nach Bedeutung ist in den Einstellungen ausgeschaltet.</translation>
    </message>
    <message>
        <source>Search by meaning is off because the extension sqlite-vec cannot be loaded. Install notesearch again.</source>
        <translation>Die Suche nach Bedeutung ist ausgeschaltet, weil sich die Erweiterung sqlite-vec nicht laden lässt. Installieren Sie notesearch neu.</translation>
    </message>
    <message>
        <source>Search by meaning is not ready yet. Run “notesearch index”.</source>
        <translation>Die Suche nach Bedeutung ist noch nicht bereit. Führen Sie „notesearch index“ aus.</translation>
    </message>
    <message>
        <source>Search by meaning is not ready yet: vectors are still being computed. Search by words until then.</source>
        <translation>Die Suche nach Bedeutung ist noch nicht bereit: Die Vektoren der Textstellen werden noch berechnet. Suchen Sie solange nach Wörtern.</translation>
    </message>
    <message numerus="yes">
        <source>It is number {rank} of {count} notes, with the section “{section}”.</source>
        <translation>
            <numerusform>Sie steht an Stelle {rank} von {count} Notiz, mit dem Abschnitt „{section}“.</numerusform>
            <numerusform>Sie steht an Stelle {rank} von {count} Notizen, mit dem Abschnitt „{section}“.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>“{section}” is number {rank} of {count} sections.</source>
        <translation>
            <numerusform>„{section}“ steht an Stelle {rank} von {count} Abschnitt.</numerusform>
            <numerusform>„{section}“ steht an Stelle {rank} von {count} Abschnitten.</numerusform>
        </translation>
    </message>
    <message>
        <source>By words alone it is number {rank}.</source>
        <translation>Nach Wörtern allein an Stelle {rank}.</translation>
    </message>
    <message>
        <source>By meaning alone it is number {rank}.</source>
        <translation>Nach Bedeutung allein an Stelle {rank}.</translation>
    </message>
    <message>
        <source>Its meaning is not close to your query.</source>
        <translation>Die Bedeutung ist Ihrer Suche nicht ähnlich.</translation>
    </message>
    <message>
        <source>“{section}” is not among the results.</source>
        <translation>„{section}“ ist nicht unter den Ergebnissen.</translation>
    </message>
    <message>
        <source>None of its sections matches {filters}.</source>
        <translation>Keiner ihrer Abschnitte passt zu {filters}.</translation>
    </message>
    <message>
        <source>It does not match {filters}.</source>
        <translation>Passt nicht zu {filters}.</translation>
    </message>
    <message>
        <source>It contains words that the query excludes: {words}.</source>
        <translation>Darin stehen Wörter, die die Suche ausschließt: {words}.</translation>
    </message>
    <message>
        <source>It contains none of your words.</source>
        <translation>Keines der gesuchten Wörter kommt vor.</translation>
    </message>
    <message numerus="yes">
        <source>It is not among the best {count} for this query.</source>
        <translation>
            <numerusform>Nicht unter den besten {count} für diese Suche.</numerusform>
            <numerusform>Nicht unter den besten {count} für diese Suche.</numerusform>
        </translation>
    </message>
    <message>
        <source>Type a query first.</source>
        <translation>Geben Sie zuerst eine Suche ein.</translation>
    </message>
    <message>
        <source>No note or heading is called “{name}”.</source>
        <translation>Keine Notiz und keine Überschrift heißt „{name}“.</translation>
    </message>
    <message>
        <source>No note or heading is called “{name}”. Did you mean {near}?</source>
        <translation>Keine Notiz und keine Überschrift heißt „{name}“. Meinten Sie {near}?</translation>
    </message>
    <message>
        <source>“{path}” is ignored: it is hidden, or a rule leaves it out.</source>
        <translation>„{path}“ wird übergangen: Die Datei ist versteckt, oder eine Regel lässt sie aus.</translation>
    </message>
    <message>
        <source>“{path}” is ignored: “{folder}” belongs to the system or to a program.</source>
        <translation>„{path}“ wird übergangen: „{folder}“ gehört dem System oder einem Programm.</translation>
    </message>
    <message>
        <source>“{path}” could not be read. {reason}</source>
        <translation>„{path}“ konnte nicht gelesen werden. {reason}</translation>
    </message>
    <message>
        <source>“{path}” is not in the index yet. Update the index.</source>
        <translation>„{path}“ ist noch nicht im Index. Aktualisieren Sie den Index.</translation>
    </message>
    <message>
        <source>It is outside “{folder}”, the folder you are searching.</source>
        <translation>Sie liegt außerhalb von „{folder}“, dem Ordner, den Sie durchsuchen.</translation>
    </message>
    <message>
        <source>There is no model “{name}” here. Get it with “notesearch models download”.</source>
        <translation>Ein Modell „{name}“ gibt es hier nicht. „notesearch models download“ lädt es herunter.</translation>
    </message>
    <message>
        <source>There is no installed model {name}. “notesearch models list” lists them.</source>
        <translation>Es ist kein Modell {name} installiert. „notesearch models list“ zeigt die installierten.</translation>
    </message>
    <message>
        <source>{name} is in use. Choose another one first.</source>
        <translation>{name} wird gerade verwendet. Wählen Sie zuerst ein anderes.</translation>
    </message>
    <message>
        <source>There is no embedding model “{folder}” here. Choose another one, or get it with “notesearch models download”.</source>
        <translation>Hier gibt es kein Modell „{folder}“. Wählen Sie ein anderes oder holen Sie es mit „notesearch models download“.</translation>
    </message>
    <message>
        <source>The folder {folder} contains no embedding model. Choose the folder with its modules.json.</source>
        <translation>Der Ordner {folder} enthält kein Embedding-Modell. Wählen Sie den Ordner mit modules.json.</translation>
    </message>
    <message>
        <source>The embedding model {file} is damaged ({error}). Install it again.</source>
        <translation>Das Modell {file} ist beschädigt ({error}). Installieren Sie es neu.</translation>
    </message>
    <message>
        <source>{file} is not the ZIP file of a model, or is damaged. Choose another one.</source>
        <translation>{file} ist nicht die ZIP-Datei eines Modells oder beschädigt. Wählen Sie eine andere.</translation>
    </message>
    <message>
        <source>The model {file} cannot be copied: {reason}. Check the disk and its permissions.</source>
        <translation>Das Modell {file} kann nicht kopiert werden: {reason}. Prüfen Sie die Platte und die Zugriffsrechte.</translation>
    </message>
    <message>
        <source>The model in {folder} cannot be used. {reason} Install it again, or choose another model.</source>
        <translation>Das Modell in {folder} lässt sich nicht benutzen. {reason} Installieren Sie es neu, oder wählen Sie ein anderes.</translation>
    </message>
    <message>
        <source>It has no ONNX file and no safetensors file; other weights can contain programs.</source>
        <translation>Es hat keine ONNX-Datei und keine safetensors-Datei; andere Gewichte können Programme enthalten.</translation>
    </message>
    <message>
        <source>It has no safetensors file.</source>
        <translation>Es hat keine safetensors-Datei.</translation>
    </message>
    <message>
        <source>“{name}” in it is not an ordinary file.</source>
        <translation>„{name}“ darin ist keine gewöhnliche Datei.</translation>
    </message>
    <message>
        <source>“{name}” in it is a link to another place.</source>
        <translation>„{name}“ darin ist ein Link auf eine andere Stelle.</translation>
    </message>
    <message>
        <source>It refers to a file outside its folder: {path}.</source>
        <translation>Es verweist auf eine Datei außerhalb seines Ordners: {path}.</translation>
    </message>
    <message>
        <source>It needs “{name}”, which notesearch does not know.</source>
        <translation>Es braucht „{name}“, das notesearch nicht kennt.</translation>
    </message>
    <message>
        <source>The sizes of one of its layers do not agree.</source>
        <translation>Die Größen einer seiner Schichten passen nicht zusammen.</translation>
    </message>
    <message>
        <source>It is not an embedding model. Its inputs: {inputs}.</source>
        <translation>Es ist kein Embedding-Modell. Seine Eingaben: {inputs}.</translation>
    </message>
    <message>
        <source>It returned no usable vector.</source>
        <translation>Es lieferte keinen brauchbaren Vektor.</translation>
    </message>
    <message>
        <source>Its vectors do not have {dimensions} dimensions.</source>
        <translation>Seine Vektoren haben nicht {dimensions} Dimensionen.</translation>
    </message>
    <message>
        <source>It is not a reranker.</source>
        <translation>Es ist kein Reranker.</translation>
    </message>
    <message>
        <source>It does not return one number for two texts.</source>
        <translation>Es liefert für zwei Texte nicht genau eine Zahl.</translation>
    </message>
    <message>
        <source>The embedding model in {folder} needs the extra “{extra}”. Install it with “pip install &apos;{extra}&apos;”.</source>
        <translation>Das Embedding-Modell in {folder} braucht das Extra „{extra}“. Es lässt sich mit „pip install &apos;{extra}&apos;“ installieren.</translation>
    </message>
    <message>
        <source>A layer of the embedding model expects vectors of another size. Install the model again.</source>
        <translation>Eine Schicht des Modells erwartet Vektoren einer anderen Größe. Installieren Sie das Modell neu.</translation>
    </message>
    <message>
        <source>There is not enough memory for the embedding model. Close other programs.</source>
        <translation>Der Arbeitsspeicher reicht für das Modell nicht. Schließen Sie andere Programme.</translation>
    </message>
    <message>
        <source>{name} cannot be measured. Install it again, or choose another model.</source>
        <translation>{name} lässt sich nicht messen. Installieren Sie das Modell neu oder wählen Sie ein anderes.</translation>
    </message>
    <message>
        <source>Measuring took more than five minutes and was stopped. Choose a smaller model.</source>
        <translation>Die Messung dauerte mehr als fünf Minuten und wurde beendet. Wählen Sie ein kleineres Modell.</translation>
    </message>
    <message>
        <source>You stopped it.</source>
        <translation>Sie haben es beendet.</translation>
    </message>
    <message>
        <source>This model needs the extra “{extra}”. Install it with “pip install &apos;{extra}&apos;” (about 1.2 GB), or choose a model with an ONNX file.</source>
        <translation>Dieses Modell braucht das Extra „{extra}“. Installieren Sie es mit „pip install &apos;{extra}&apos;“ (etwa 1,2 GB) oder wählen Sie ein Modell mit ONNX-Datei.</translation>
    </message>
    <message>
        <source>sentence-transformers {version} is too old. Install version {least}.</source>
        <translation>sentence-transformers {version} ist zu alt. Installieren Sie Version {least}.</translation>
    </message>
    <message>
        <source>sentence-transformers cannot be loaded. Install “{extra}” again ({error}).</source>
        <translation>sentence-transformers lässt sich nicht laden. Installieren Sie „{extra}“ neu ({error}).</translation>
    </message>
    <message>
        <source>{library}, which runs models, cannot be loaded ({error}). Install notesearch again.</source>
        <translation>{library} führt Modelle aus und lässt sich nicht laden ({error}). Installieren Sie notesearch neu.</translation>
    </message>
    <message>
        <source>There is no reranker “{name}” here. Get it with “notesearch models download”.</source>
        <translation>Einen Reranker „{name}“ gibt es hier nicht. „notesearch models download“ lädt ihn herunter.</translation>
    </message>
    <message>
        <source>No reranker is chosen. Set “reranker” in the settings; “notesearch models” lists some.</source>
        <translation>Es ist kein Reranker gewählt. Setzen Sie „reranker“ in den Einstellungen; „notesearch models“ zeigt einige.</translation>
    </message>
    <message>
        <source>The model needs {size} more bytes, but only {free} are free on the disk. Free some space.</source>
        <translation>Das Modell braucht noch {size} Bytes, aber nur {free} sind auf der Platte frei. Schaffen Sie Platz.</translation>
    </message>
    <message>
        <source>The model cannot be written to {folder}: {reason}. Check the disk and its permissions.</source>
        <translation>Das Modell kann nicht in {folder} gespeichert werden: {reason}. Prüfen Sie die Platte und die Zugriffsrechte.</translation>
    </message>
    <message>
        <source>{name} has no ONNX file. Install the extra “{extra}” first (about 1.2 GB).</source>
        <translation>{name} hat keine ONNX-Datei. Installieren Sie zuerst das Extra „{extra}“ (etwa 1,2 GB).</translation>
    </message>
    <message>
        <source>{name} contains a file that refers to a place outside its folder: {file}. Choose another model.</source>
        <translation>{name} enthält eine Datei, die auf eine Stelle außerhalb ihres Ordners verweist: {file}. Wählen Sie ein anderes Modell.</translation>
    </message>
    <message>
        <source>{file} of {name} differs from the published file. Try again.</source>
        <translation>{file} von {name} weicht von der veröffentlichten Datei ab. Versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>There is no model “{name}” on Hugging Face, or it requires an account. Check its name.</source>
        <translation>Auf Hugging Face gibt es kein Modell „{name}“, oder es verlangt ein Konto. Prüfen Sie den Namen.</translation>
    </message>
    <message>
        <source>“{name}” is not the name of a model. Give it as OWNER/NAME, as on Hugging Face.</source>
        <translation>„{name}“ ist nicht der Name eines Modells. Geben Sie ihn wie auf Hugging Face an: BESITZER/NAME.</translation>
    </message>
    <message>
        <source>Downloads are off because HF_HUB_OFFLINE is set. Unset it to download models.</source>
        <translation>Downloads sind ausgeschaltet, weil HF_HUB_OFFLINE gesetzt ist. Entfernen Sie diese Variable.</translation>
    </message>
    <message>
        <source>Hugging Face cannot be reached. Check your connection; partial downloads are kept. ({reason})</source>
        <translation>Hugging Face ist nicht erreichbar. Prüfen Sie Ihre Verbindung; angefangene Downloads bleiben erhalten. ({reason})</translation>
    </message>
    <message>
        <source>100 languages, for questions; best if notes are not in English</source>
        <translation>100 Sprachen, für Fragen; am besten für Notizen, die nicht englisch sind</translation>
    </message>
    <message>
        <source>50 languages, for finding similar sentences</source>
        <translation>50 Sprachen, für Sätze ähnlicher Bedeutung</translation>
    </message>
    <message>
        <source>English, for questions</source>
        <translation>Englisch, für Fragen</translation>
    </message>
    <message>
        <source>larger, English</source>
        <translation>größer, Englisch</translation>
    </message>
    <message>
        <source>for code; needs the extra</source>
        <translation>für Code; braucht das Extra</translation>
    </message>
    <message>
        <source>a reranker, English</source>
        <translation>ein Reranker, Englisch</translation>
    </message>
    <message>
        <source>a reranker, 14 languages</source>
        <translation>ein Reranker, 14 Sprachen</translation>
    </message>
    <message>
        <source>{passages} passages/s, {query} ms for a query, {memory} MB of memory</source>
        <translation>{passages} Textstellen/s, {query} ms je Suchanfrage, {memory} MB Arbeitsspeicher</translation>
    </message>
    <message>
        <source>Your model knows only English, but {percent} % of your text is in other languages. {name} finds all of it by meaning: {download} MB to download once, about {minutes} min to read your notes, {disk} MB more in the index.</source>
        <translation>{percent} % Ihres Textes sind nicht englisch, und das jetzige Modell kann nur Englisch. {name} findet alles nach Bedeutung: einmal {download} MB herunterladen, etwa {minutes} min zum Lesen Ihrer Notizen, {disk} MB mehr im Index.</translation>
    </message>
    <message>
        <source>Your model knows only English, but {percent} % of your text is in other languages. {name} is installed and finds all of it by meaning: about {minutes} min to read your notes, {disk} MB more in the index.</source>
        <translation>{percent} % Ihres Textes sind nicht englisch, und das jetzige Modell kann nur Englisch. {name} ist installiert und findet alles nach Bedeutung: etwa {minutes} min zum Lesen Ihrer Notizen, {disk} MB mehr im Index.</translation>
    </message>
    <message>
        <source>a reranker</source>
        <translation>ein Reranker</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>nicht gemessen</translation>
    </message>
    <message>
        <source>{dimensions} dimensions, {tokens} tokens, {files}</source>
        <translation>{dimensions} Dimensionen, {tokens} Tokens, {files}</translation>
    </message>
    <message>
        <source>“{name}” is outside the notes folder, so it is not opened. Set “follow_links” to allow that.</source>
        <translation>„{name}“ liegt außerhalb des Notizordners und wird nicht geöffnet. Setzen Sie „follow_links“, um das zu erlauben.</translation>
    </message>
    <message>
        <source>This note was moved or deleted since the last update. Update the index.</source>
        <translation>Diese Notiz wurde seit der letzten Aktualisierung verschoben oder gelöscht. Aktualisieren Sie den Index.</translation>
    </message>
    <message>
        <source>Nothing opened: set “editor” in the settings, or $EDITOR.</source>
        <translation>Es wurde nichts geöffnet. Legen Sie „editor“ in den Einstellungen oder $EDITOR fest.</translation>
    </message>
    <message>
        <source>“{editor}” did not open. Choose another “editor” in the settings.</source>
        <translation>„{editor}“ wurde nicht geöffnet. Wählen Sie in den Einstellungen einen anderen „editor“.</translation>
    </message>
    <message>
        <source>“{program}” failed with status {status}. Choose another “editor” in the settings.</source>
        <translation>„{program}“ ist mit dem Status {status} fehlgeschlagen. Wählen Sie in den Einstellungen einen anderen „editor“.</translation>
    </message>
    <message>
        <source>No editor command is set.</source>
        <translation>Es ist kein Editor-Befehl festgelegt.</translation>
    </message>
    <message>
        <source>“{program}” was not found.</source>
        <translation>„{program}“ wurde nicht gefunden.</translation>
    </message>
    <message>
        <source>“{program}” could not be started.</source>
        <translation>„{program}“ ließ sich nicht starten.</translation>
    </message>
    <message>
        <source>“{program}” is a batch file. Enter the program it starts instead.</source>
        <translation>„{program}“ ist eine Batch-Datei. Geben Sie stattdessen das Programm an, das sie startet.</translation>
    </message>
    <message>
        <source>The editor command “{command}” has an unclosed quote. Add the missing one.</source>
        <translation>Im Editor-Befehl „{command}“ fehlt ein schließendes Anführungszeichen. Ergänzen Sie es.</translation>
    </message>
    <message>
        <source>This note is not in an Obsidian vault.</source>
        <translation>Diese Notiz liegt in keinem Obsidian-Vault.</translation>
    </message>
    <message>
        <source>No program on this computer is set up to open “{name}”.</source>
        <translation>Auf diesem Computer ist kein Programm eingerichtet, das „{name}“ öffnet.</translation>
    </message>
    <message>
        <source>No file manager was found. Copy the path of the note instead.</source>
        <translation>Es wurde keine Dateiverwaltung gefunden. Kopieren Sie stattdessen den Pfad der Notiz.</translation>
    </message>
    <message>
        <source>“{name}” in {file} should look like {example}.</source>
        <translation>„{name}“ in {file} sollte wie {example} aussehen.</translation>
    </message>
    <message>
        <source>“{name}” in {file} must be {some} or {other}.</source>
        <translation>„{name}“ in {file} muss {some} oder {other} sein.</translation>
    </message>
    <message>
        <source>“{name}” in {file} should look like {example}, a whole number from {least} to {most}.</source>
        <translation>„{name}“ in {file} sollte wie {example} aussehen, eine ganze Zahl von {least} bis {most}.</translation>
    </message>
    <message>
        <source>“{name}” in {file} is not a setting and has no effect. Remove it.</source>
        <translation>„{name}“ in {file} ist keine Einstellung und bewirkt nichts. Entfernen Sie sie.</translation>
    </message>
    <message>
        <source>“{name}” in {file} is not a setting and has no effect. Did you mean “{near}”?</source>
        <translation>„{name}“ in {file} ist keine Einstellung und bewirkt nichts. Meinten Sie „{near}“?</translation>
    </message>
    <message>
        <source>“{name}” in {file} has no effect below “[[vaults]]”. Move it above the first “[[vaults]]”.</source>
        <translation>„{name}“ in {file} bewirkt unter „[[vaults]]“ nichts. Verschieben Sie es über das erste „[[vaults]]“.</translation>
    </message>
    <message>
        <source>The settings in {file} cannot be read ({reason}). Correct that file first: the next change of a setting starts a new one, and keeps the old one as settings.toml.broken.</source>
        <translation>Die Einstellungen in {file} lassen sich nicht lesen ({reason}). Berichtigen Sie zuerst die Datei: Wird eine Einstellung geändert, entsteht eine neue, und die alte bleibt als settings.toml.broken.</translation>
    </message>
    <message>
        <source>The settings in {file} cannot be written: {reason}. Check the disk and the permissions.</source>
        <translation>Die Einstellungen in {file} lassen sich nicht schreiben: {reason}. Prüfen Sie die Platte und die Zugriffsrechte.</translation>
    </message>
    <message>
        <source>“{name}” is missing. Give {form}.</source>
        <translation>„{name}“ fehlt. Anzugeben: {form}.</translation>
    </message>
    <message>
        <source>“{name}” is not valid. Give {form}.</source>
        <translation>„{name}“ ist ungültig. Anzugeben: {form}.</translation>
    </message>
    <message>
        <source>There is no parameter “{name}”. Leave it out; the parameters are: {names}.</source>
        <translation>Es gibt keinen Parameter „{name}“. Lassen Sie ihn weg; die Parameter sind: {names}.</translation>
    </message>
    <message>
        <source>“{name}” is not a date. Give one like 2026-04-12, 2026-04, 2026, 7d or yesterday.</source>
        <translation>„{name}“ ist kein Datum. Geben Sie eines an wie 2026-04-12, 2026-04, 2026, 7d oder yesterday.</translation>
    </message>
    <message>
        <source>“{name}” has no name or word to filter by. Add one.</source>
        <translation>„{name}“ enthält keinen Namen und kein Wort zum Filtern. Ergänzen Sie eines.</translation>
    </message>
    <message>
        <source>“{uri}” is not the address of a note here. Begin it with note:///.</source>
        <translation>„{uri}“ ist hier keine Adresse einer Notiz. Beginnen Sie sie mit note:///.</translation>
    </message>
    <message>
        <source>Port {port} cannot be used: {reason}. Choose another one with --port.</source>
        <translation>Port {port} lässt sich nicht benutzen: {reason}. Wählen Sie mit --port einen anderen.</translation>
    </message>
    <message>
        <source>The token in {file} cannot be read or created: {reason}. Set one in NOTESEARCH_TOKEN instead.</source>
        <translation>Das Token in {file} lässt sich nicht lesen oder anlegen: {reason}. Setzen Sie stattdessen eines in NOTESEARCH_TOKEN.</translation>
    </message>
    <message>
        <source>The token needs at least {least} ASCII characters. Delete {file} to get a new one, or set another one in NOTESEARCH_TOKEN.</source>
        <translation>Das Token braucht mindestens {least} ASCII-Zeichen. Löschen Sie {file} für ein neues oder setzen Sie ein anderes in NOTESEARCH_TOKEN.</translation>
    </message>
    <message>
        <source>Standard input or output is closed, so there is no client to serve. Let a client start this command.</source>
        <translation>Standardeingabe oder -ausgabe ist geschlossen; kein Programm ist verbunden. Lassen Sie ein Programm diesen Befehl starten.</translation>
    </message>
    <message>
        <source>Standard output is closed. Send it to a file or a program.</source>
        <translation>Die Standardausgabe ist geschlossen. Leiten Sie sie in eine Datei oder ein Programm um.</translation>
    </message>
    <message>
        <source>The output cannot be written: {reason}. Send it to another file.</source>
        <translation>Die Ausgabe kann nicht geschrieben werden: {reason}. Leiten Sie sie in eine andere Datei um.</translation>
    </message>
    <message>
        <source>The current folder was deleted. Change to another folder.</source>
        <translation>Der aktuelle Ordner wurde gelöscht. Wechseln Sie in einen anderen Ordner.</translation>
    </message>
    <message>
        <source>“{path}” cannot be used: {reason}. Check the path.</source>
        <translation>„{path}“ kann nicht verwendet werden: {reason}. Prüfen Sie den Pfad.</translation>
    </message>
    <message>
        <source>There is no display for a window here. “notesearch search” searches in the terminal.</source>
        <translation>Hier gibt es keinen Bildschirm für ein Fenster. „notesearch search“ sucht im Terminal.</translation>
    </message>
    <message>
        <source>notesearch is running but does not answer. Quit it and try again.</source>
        <translation>notesearch läuft, antwortet aber nicht. Beenden Sie es und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>Another notesearch has been starting up or shutting down for too long. Try again.</source>
        <translation>Ein anderes notesearch braucht zu lange, um zu starten oder sich zu beenden. Versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>notesearch could not be started. “notesearch open” shows why.</source>
        <translation>notesearch ließ sich nicht starten. „notesearch open“ zeigt, warum.</translation>
    </message>
</context>
</TS>
