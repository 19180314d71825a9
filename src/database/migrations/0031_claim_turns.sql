-- The tenants of the queue take turns: each owner of waiting jobs, and all visitors of the page together.
-- Whether a visitor of the page started the job. Earlier versions do not set it: the job then counts for its owner.
alter table render_jobs add column visitor boolean not null default false;
-- The job's place among those of its tenant, if it is not the time of its start.
alter table render_jobs add column turn_at timestamptz;

-- The next job of a tenant, and the tenants that wait (src/render/jobs/tenants.ts).
create index render_jobs_turn on render_jobs
  ((case when visitor then '' else owner end), (coalesce(turn_at, created_at)))
  where state in ('pending', 'queued');

-- When each tenant was last given a worker: the number of the claim. A row per tenant, so as many as there are keys.
create sequence claim_turn;
create table claim_turns (
  tenant text primary key,
  turn bigint not null
) with (fillfactor = 50);
