-- Jobs that visitors of the page have started. The page limits the jobs of each visitor. Rows count for a day, even if
-- the job no longer exists.
create table visitor_starts (
  -- A keyed hash of the visitor's network.
  visitor text not null,
  job_id text not null,
  started_at timestamptz not null default now()
);

create index visitor_starts_of_visitor on visitor_starts (visitor, started_at);

create index visitor_starts_started on visitor_starts (started_at);
