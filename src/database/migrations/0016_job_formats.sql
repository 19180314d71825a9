-- The format of a job's description, and the newest format that a worker can read (src/render/job-format.ts). Version
-- 0.1.0 has neither column: it writes and reads format 1.
alter table render_jobs add column format integer not null default 1;
alter table render_cache add column format integer not null default 1;
alter table workers add column reads integer not null default 1;

-- Later workers skip jobs that they cannot read. A worker of 0.1.0 claims the oldest job regardless of its format. This
-- trigger cancels such a claim, so that worker gets no job until a newer one has claimed it.
create function keep_from_older_workers() returns trigger language plpgsql as $$
begin
  return case when new.format <= (select reads from workers where id = new.worker) then new end; end
$$;

create trigger render_jobs_format before update of worker on render_jobs for each row
  when (new.format > 1 and new.worker is not null and new.worker is distinct from old.worker)
  execute function keep_from_older_workers();
