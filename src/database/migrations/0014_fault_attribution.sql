-- Which job makes its node die. `attempts` is counted by the version before alone, which fails a job by it.
-- Deaths of nodes that ran the job, beside others or not; after two of them it runs alone on its node.
alter table render_jobs add column deaths integer not null default 0;
-- Deaths of nodes that ran it alone.
alter table render_jobs add column lone_deaths integer not null default 0;
-- The run that has its node to itself. The version before knows of none: another run in its place is not alone.
alter table render_jobs add column lone_run uuid;
-- The run whose result only waits for the store: the death of its node counts for nothing.
alter table render_jobs add column waiting_run uuid;
-- When its node died last.
alter table render_jobs add column lost_at timestamptz;
-- The worker that takes no other job until it can run this one alone, and when it stops waiting for that.
alter table render_jobs add column drained_by uuid;
alter table render_jobs add column drained_until timestamptz;

create index render_jobs_suspect on render_jobs (lost_at) where state in ('pending', 'queued') and deaths >= 2;
