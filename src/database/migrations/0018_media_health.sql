-- How well the media of each client profile arrives, so that every node avoids the profiles whose media was refused on
-- any node (src/media-health/sharing/). A row counts the fetches of one node in one minute. Rows are deleted after about
-- 20 minutes.
create table media_health (
  node uuid not null,
  -- Minutes since 1970.
  minute integer not null,
  platform text not null check (length(platform) <= 100),
  exit text not null check (length(exit) <= 100),
  profile text not null check (length(profile) <= 100),
  country text check (length(country) <= 100),
  arrived integer not null check (arrived >= 0),
  arrived_long integer not null check (arrived_long >= 0),
  refused integer not null check (refused >= 0),
  cut integer not null check (cut >= 0),
  expired integer not null check (expired >= 0),
  failed integer not null check (failed >= 0),
  -- The last fetch that was refused.
  refused_at timestamptz,
  refused_outcome text check (refused_outcome in ('refused', 'cut')),
  refused_status integer,
  refused_bytes bigint check (refused_bytes >= 0),
  updated_at timestamptz not null default now(),
  primary key (node, minute, platform, exit, profile)
);
create index media_health_updated on media_health (updated_at);

-- Items whose media was refused, or has arrived since then. Rows are deleted after about an hour.
create table media_refusals (
  platform text not null check (length(platform) <= 100),
  exit text not null check (length(exit) <= 100),
  profile text not null check (length(profile) <= 100),
  -- SHA-256 of the item's key.
  item text not null check (length(item) <= 100),
  refused boolean not null,
  bytes bigint not null check (bytes >= 0),
  changed_at timestamptz not null,
  node uuid not null,
  updated_at timestamptz not null default now(),
  primary key (platform, exit, profile, item)
);
create index media_refusals_updated on media_refusals (updated_at);
