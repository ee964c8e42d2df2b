-- The index of one vault. It is a cache: everything in it can be made again from the notes.

create table meta (
    key text primary key,
    value text not null
) without rowid, strict;

create table note (
    id integer primary key,
    path text not null unique,
    place text not null,                -- the path, folded for comparison: "/travel/trip to japan.md"
    file text not null,                 -- the last part of it: "trip to japan.md"
    title text not null,
    title_from_name integer not null,
    aliases text not null,              -- JSON list
    tags text not null,                 -- JSON list: all
    common_tags text not null,          -- JSON list: those of the whole note
    category text not null,
    properties text not null,           -- JSON object: the front matter, indexed as words
    inline_properties text not null,    -- JSON object: those in the text, indexed with it
    language text not null,             -- ISO 639-1; empty if not known
    dated integer,                      -- from the front matter, in calendar seconds; null: none
    words integer not null,
    size integer not null,
    mtime_ns integer not null,
    ctime_ns integer not null,
    inode integer not null,
    hash blob not null,                 -- of the file's bytes; empty to have it read again
    problem text not null,              -- why the file could not be read completely, a sentence
    outdated integer not null default 0 -- the file cannot be read now; an earlier text is indexed
) strict;
create index note_language on note (language);
create index note_place on note (place);
create index note_file on note (file);
create index note_dated on note (dated, mtime_ns);

create table note_name (                -- title and aliases, folded: links find a note by them
    name text not null,
    note_id integer not null references note (id) on delete cascade,
    primary key (name, note_id)
) without rowid, strict;
create index note_name_note on note_name (note_id);

create table note_tag (                 -- tags of the whole note, folded
    tag text not null,
    note_id integer not null references note (id) on delete cascade,
    written text,                       -- the tag in lower case, if that is not the folded one
    primary key (tag, note_id)
) without rowid, strict;
create index note_tag_note on note_tag (note_id);

create table property (                 -- each value in the front matter and in the text
    key text not null,                  -- folded, as the text is
    text text not null,
    number real,
    day integer,                        -- in calendar seconds
    inline integer not null,            -- in the text
    note_id integer not null references note (id) on delete cascade
) strict;
create index property_key on property (key, note_id);
create index property_note on property (note_id);
create index property_id on property (text) where key in ('id', 'uid');  -- each search looks for one

create table section (
    id integer primary key,             -- also the rowid of its words
    note_id integer not null references note (id) on delete cascade,
    ordinal integer not null,
    heading text not null,
    path text not null,                 -- JSON list: the breadcrumb
    tags text not null,                 -- JSON list: those of this section alone
    level integer not null,
    line integer not null,
    end_line integer not null,
    features integer not null,          -- bits of notes.Feature
    path_id integer                     -- identity of its heading path, if there is a model
) strict;
create unique index section_place on section (note_id, ordinal, features);
create index section_heading on section (folded(heading));  -- another folding: another version
create index section_path on section (path_id);

create table section_tag (              -- tags of this section alone, folded
    tag text not null,
    section_id integer not null references section (id) on delete cascade,
    written text,
    primary key (tag, section_id)
) without rowid, strict;
create index section_tag_section on section_tag (section_id);

create table section_code (             -- languages of its code blocks
    language text not null,
    section_id integer not null references section (id) on delete cascade,
    primary key (language, section_id)
) without rowid, strict;
create index section_code_section on section_code (section_id);

create table link (                     -- addresses that a section links to without showing them
    section_id integer not null references section (id) on delete cascade,
    address text not null,              -- normalized
    start integer,                      -- characters of the section's body: the link's words
    stop integer,
    primary key (section_id, address)
) without rowid, strict;                -- has no index: only searches for an address scan it

create table note_link (                -- links to notes as written; the name is resolved when asked
    note_id integer not null references note (id) on delete cascade,
    idx integer not null,               -- in the note's text
    line integer not null,
    target text not null,               -- with the heading
    relative integer not null,          -- from the folder of the note
    primary key (note_id, idx)
) without rowid, strict;                -- has no index either

create table block (                    -- blocks with an id, to which notes of Logseq refer
    id text not null,
    text text not null,                 -- the first line; ((id)) is a reference to another block
    note_id integer not null references note (id) on delete cascade
) strict;
create index block_id on block (id);
create index block_note on block (note_id);

create table body (                     -- apart from the section, because few searches read it
    section_id integer primary key references section (id) on delete cascade,
    text any not null,                  -- plain text; a blob if it is compressed
    source text not null                -- JSON: notes.SourceMap, as a list of its parts
) strict;

create virtual table words using fts5 (
    body, folder, title, aliases, parents, heading, tags,  -- most words first: saves two bytes each
    tokenize = 'notesearch',
    detail = full,
    locale = 1,                         -- a text is cut by the rules of its note's language
    content = '',                       -- the text is in the tables above
    contentless_delete = 1
);
insert into words (words, rank) values ('deletemerge', 0);  -- word_list.merge merges instead
insert into words (words, rank) values ('pgsz', 4040);  -- fits a page with its checksum

create virtual table vocabulary using fts5vocab (words, row);
create virtual table occurrence using fts5vocab (words, instance);

create table passage (
    section_id integer not null references section (id) on delete cascade,
    idx integer not null,
    start integer not null,             -- characters of the section's body
    stop integer not null,
    identity_id integer not null,
    primary key (section_id, idx)
) without rowid, strict;
create index passage_identity on passage (identity_id);

create table identity (                 -- of texts that are embedded; equal texts share one
    id integer primary key,             -- numbers of a note stand together, hashes would not
    hash blob not null unique
) strict;

create table embedding (
    id integer primary key,             -- identity of the passage, and rowid of its signs in vec0
    vector blob not null                -- int8, scaled to the largest component
) strict;

create table heading_path (             -- title and headings of sections, embedded by themselves
    id integer primary key,             -- identity
    signs blob not null                 -- a bit per component is enough to compare a few hundred
) strict;

create table pending (                  -- texts that wait for the embedder
    id integer primary key,             -- identity
    text text not null,
    of_path integer not null            -- a heading path, not a passage
) strict;

create table earlier_model (             -- was searched before; its vectors are kept for a return
    fingerprint text primary key,
    name text not null                  -- as in the settings
) without rowid, strict;

create table earlier_vector (
    fingerprint text not null,
    of_path integer not null,
    hash blob not null,
    vector blob not null,               -- or the signs of a heading path
    primary key (fingerprint, of_path, hash)
) without rowid, strict;

-- What the index has of a model that will take over, in rows like those of the tables above. They are
-- not searched: one table never mixes two models' vectors.

create table next_note (                -- has been cut into passages for the next model
    note_id integer primary key references note (id) on delete cascade
) strict;

create table next_passage (
    section_id integer not null references section (id) on delete cascade,
    idx integer not null,
    start integer not null,
    stop integer not null,
    identity_id integer not null,
    primary key (section_id, idx)
) without rowid, strict;
create index next_passage_identity on next_passage (identity_id);

create table next_path (                -- becomes section.path_id
    section_id integer primary key references section (id) on delete cascade,
    path_id integer not null
) strict;
create index next_path_id on next_path (path_id);

create table next_embedding (id integer primary key, vector blob not null) strict;
create table next_heading_path (id integer primary key, signs blob not null) strict;
create table next_pending (
    id integer primary key,
    text text not null,
    of_path integer not null
) strict;
