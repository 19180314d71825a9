-- Running processes of the service. A row lasts from the start of a process to its end. Rows of processes that died
-- are deleted after an hour. A version before this migration has no row, and cannot be drained.
create table nodes (
  id uuid primary key,
  host text not null,
  roles text[] not null,
  version text not null,
  -- The ID of its worker, which stays the same when the process restarts. Null without the role worker.
  worker uuid,
  started_at timestamptz not null default now(),
  beat_at timestamptz not null default now(),
  -- Since when it takes no new work, and why. Null unless it drains.
  draining_at timestamptz,
  drain_reason text
);
