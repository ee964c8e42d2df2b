-- The index of one vault. It is a cache: nothing here cannot be made again from the notes.

create table meta (
    key text primary key,
    value text not null
) without rowid;

create table note (
    id integer primary key,
    path text not null unique,
    place text not null,                -- folded, to be compared: "/travel/trip to japan.md"
    file text not null,                 -- its last part: "trip to japan.md"
    title text not null,
    title_from_name integer not null,
    aliases text not null,              -- JSON list
    tags text not null,                 -- JSON list
    category text not null,
    properties text not null,           -- JSON object
    language text not null,             -- ISO 639-1; empty when it is not known
    dated integer,                      -- its own date, in calendar seconds; null: the file's
    words integer not null,
    size integer not null,
    mtime_ns integer not null,
    ctime_ns integer not null,
    inode integer not null,
    hash blob not null,                 -- of the file's bytes; empty when it has to be read again
    problem text not null,              -- why it could not be (wholly) read, a sentence
    outdated integer not null default 0 -- its file cannot be read now: an earlier text is indexed
);
create index note_title on note (title collate nocase);
create index note_language on note (language);
create index note_place on note (place);
create index note_file on note (file);
create index note_dated on note (dated, mtime_ns);

create table note_tag (                 -- of all sections of a note; folded
    tag text not null,
    note_id integer not null references note (id) on delete cascade,
    primary key (tag, note_id)
) without rowid;
create index note_tag_note on note_tag (note_id);

create table property (                 -- each value of the front matter
    key text not null,                  -- folded, as the text is
    text text not null,
    number real,
    day integer,                        -- in calendar seconds
    note_id integer not null references note (id) on delete cascade
);
create index property_key on property (key, note_id);
create index property_note on property (note_id);

create table section (
    id integer primary key,             -- also the rowid of its words
    note_id integer not null references note (id) on delete cascade,
    ordinal integer not null,
    heading text not null,
    path text not null,                 -- JSON list: the breadcrumb
    level integer not null,
    line integer not null,
    end_line integer not null,
    features integer not null,          -- bits: notes.Feature
    path_id integer                     -- the identity of its heading path, where there is a model
);
create unique index section_place on section (note_id, ordinal, features);
create index section_heading on section (heading collate nocase);
create index section_path on section (path_id);

create table section_tag (              -- of one section alone; folded
    tag text not null,
    section_id integer not null references section (id) on delete cascade,
    primary key (tag, section_id)
) without rowid;
create index section_tag_section on section_tag (section_id);

create table section_code (             -- languages of its blocks of code
    language text not null,
    section_id integer not null references section (id) on delete cascade,
    primary key (language, section_id)
) without rowid;
create index section_code_section on section_code (section_id);

create table link (                     -- where a section points at, but for what stands in its text
    section_id integer not null references section (id) on delete cascade,
    address text not null,              -- as addresses are compared
    start integer,                      -- characters of the section's body: the link's words
    stop integer,
    primary key (section_id, address)
) without rowid;                        -- looked through as a whole, and only for an address

create table body (                     -- what is read of a section: it is seldom asked for
    section_id integer primary key references section (id) on delete cascade,
    text not null                       -- its plain text; a blob where it is compressed
);

create virtual table words using fts5 (
    body, folder, title, aliases, parents, heading, tags,  -- two bytes less where a word is first
    tokenize = 'notesearch',
    detail = full,
    locale = 1,                         -- a text is cut as its note's language asks for
    content = '',                       -- the text stands in its row
    contentless_delete = 1
);
insert into words (words, rank) values ('deletemerge', 0);  -- tidying merges, not each change

create virtual table vocabulary using fts5vocab (words, row);
create virtual table occurrence using fts5vocab (words, instance);

create table passage (
    section_id integer not null references section (id) on delete cascade,
    idx integer not null,
    start integer not null,             -- characters of the section's body
    stop integer not null,
    identity_id integer not null,
    primary key (section_id, idx)
) without rowid;
create index passage_identity on passage (identity_id);

create table identity (                 -- of what is embedded, or waits for it: equal ones share it
    id integer primary key,             -- those of a note stand together, as hashes never would
    hash blob not null unique
);

create table embedding (
    id integer primary key,             -- the passage's identity, and the rowid of its bits in vec0
    vector blob not null                -- int8, scaled to the largest component
);

create table heading_path (             -- title and headings of sections, embedded by themselves
    id integer primary key,             -- its identity
    signs blob not null                 -- a bit per component: enough to compare a few hundred
);

create table pending (                  -- what is still to be embedded
    id integer primary key,             -- its identity
    text text not null,
    of_path integer not null            -- of a heading path, not of a passage
);

create table kept_model (               -- was searched before, and can be again at once
    fingerprint text primary key,
    name text not null                  -- as the settings called it
) without rowid;

create table kept_vector (
    fingerprint text not null,
    of_path integer not null,
    hash blob not null,
    vector blob not null,               -- or the signs of a heading path
    primary key (fingerprint, of_path, hash)
) without rowid;
