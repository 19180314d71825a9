-- Who had a waiting job last, and under which run: what that worker still has of it on its disk bears the run's name.
alter table render_jobs add column left_worker uuid;
alter table render_jobs add column left_run uuid;

-- A worker looks for its own former jobs at each claim.
create index render_jobs_left on render_jobs (left_worker, created_at)
  where state in ('pending', 'queued') and left_worker is not null;
