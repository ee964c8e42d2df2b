-- What the index has of a model that will take over. These tables are made when it begins and
-- dropped once it has taken over. They are not searched: one table never mixes two models' vectors.

create table next_note (                -- has been cut into passages for the next model
    note_id integer primary key references note (id) on delete cascade
) strict;

create table next_passage (
    section_id integer not null references section (id) on delete cascade,
    idx integer not null,
    start integer not null,
    stop integer not null,
    hash blob not null,
    primary key (section_id, idx)
) without rowid, strict;
create index next_passage_hash on next_passage (hash);

create table next_path (                -- becomes section.path_id
    section_id integer primary key references section (id) on delete cascade,
    hash blob not null
) strict;
create index next_path_hash on next_path (hash);

create table next_embedding (hash blob primary key, vector blob not null) without rowid, strict;
create table next_heading_path (hash blob primary key, signs blob not null) without rowid, strict;
create table next_pending (
    id integer primary key,
    hash blob not null unique,
    text text not null,
    of_path integer not null
) strict;
