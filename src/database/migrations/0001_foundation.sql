-- Facts that all nodes share, such as the signing secret made at the first start.
create table service_facts (
  name text primary key,
  value text not null
);

-- Keys of callers. A key itself is never stored: `hash` is its HMAC-SHA-256.
create table api_keys (
  id uuid primary key,
  kind text not null check (kind in ('extraction', 'render')),
  plan text not null check (plan in ('BASIC', 'PRO', 'ULTRA', 'MEGA')),
  hash text not null unique,
  created_at timestamptz not null default now(),
  ended_at timestamptz
);

-- Render jobs. The row is the job's one truth: its state, and its place in the queue.
create table render_jobs (
  id text primary key,
  owner text not null,
  state text not null check (state in
    ('pending', 'queued', 'downloading_inputs', 'processing', 'uploading_output', 'done', 'failed')),
  -- The sealed job description; erased when the job is over.
  description text,
  -- Milliseconds.
  ttl integer not null,
  -- How often a worker has taken it up since it was started.
  attempts integer not null default 0,
  -- The right to work on it: a new one each time a worker takes it up; names its folder and its file.
  run uuid,
  worker uuid,
  error text,
  -- Percent at which it ended.
  progress integer not null default 0,
  file_key text,
  file_name text,
  file_size bigint,
  file_link text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

create index render_jobs_waiting on render_jobs (created_at) where state in ('pending', 'queued');

create index render_jobs_expiry on render_jobs (expires_at);

-- What changes once a second while a job runs: kept apart and narrow, so that the wide row is not rewritten.
create table render_progress (
  run uuid primary key,
  progress integer not null,
  beat_at timestamptz not null
) with (fillfactor = 40);

-- Job descriptions stored by the cache call; started by whoever holds the id.
create table render_cache (
  cache_id text primary key,
  owner text not null,
  description text not null,
  expires_at timestamptz not null
);

-- Worker processes and the jobs they can run at once.
create table workers (
  id uuid primary key,
  slots integer not null,
  beat_at timestamptz not null
);

-- Files whose job is gone and that are still to be deleted.
create table file_deletions (
  file_key text primary key
);
