-- What the operator does not serve: items and channels of platforms, and hosts.
create table blocks (
  id uuid primary key,
  kind text not null check (kind in ('item', 'channel', 'host')),
  -- ID of the platform. Empty for a host.
  platform text not null check (length(platform) <= 20),
  -- The ID of the item, the ID or @handle of the channel, or the host name.
  value text not null check (length(value) between 1 and 300),
  -- Callers read it in their errors.
  reason text not null check (length(reason) between 1 and 300),
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Null if it does not end by itself.
  expires_at timestamptz,
  unique (kind, platform, value)
);

-- The item and the channel that a job's inputs belong to, in the form of src/blocks/subjects.ts. Null if they are not
-- known, and for jobs that a former version has started.
alter table render_jobs add column subjects text[];
