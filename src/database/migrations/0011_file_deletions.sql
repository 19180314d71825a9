-- A file that cannot be deleted is tried again later and later, and keeps no other file waiting.
alter table file_deletions add column attempts integer not null default 0;
-- When it is tried next: while a node is at it, when others may think that the node was lost.
alter table file_deletions add column next_try_at timestamptz not null default now();

create index file_deletions_due on file_deletions (next_try_at);
