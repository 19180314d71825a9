-- Finds the job that crashes its node. Only version 0.1.0 still counts `attempts`, and fails a job by it.
-- Deaths of nodes that ran the job, alone or beside others. After two, the job runs alone on its node.
alter table render_jobs add column deaths integer not null default 0;
-- Deaths of nodes that ran the job alone.
alter table render_jobs add column lone_deaths integer not null default 0;
-- The run that is alone on its node. Version 0.1.0 does not set it: a different `run` means that the job is not alone.
alter table render_jobs add column lone_run uuid;
-- The run whose result only waits for the store. The death of its node does not count.
alter table render_jobs add column waiting_run uuid;
-- When a node that ran the job last died.
alter table render_jobs add column lost_at timestamptz;
-- The worker that claims no other job until it can run this one alone, and when it gives up waiting.
alter table render_jobs add column drained_by uuid;
alter table render_jobs add column drained_until timestamptz;

create index render_jobs_suspect on render_jobs (lost_at) where state in ('pending', 'queued') and deaths >= 2;
