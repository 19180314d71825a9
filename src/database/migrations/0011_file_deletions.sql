-- Failed deletions of a file are retried with a growing delay, so they hold up no other file.
alter table file_deletions add column attempts integer not null default 0;
-- Time of the next attempt. While a node deletes the file: the time from which other nodes may take over.
alter table file_deletions add column next_try_at timestamptz not null default now();

create index file_deletions_due on file_deletions (next_try_at);
