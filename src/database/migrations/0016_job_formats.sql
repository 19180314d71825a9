-- Which format a job's description has, and which one a worker reads (src/render/job-format.ts). Version 0.1.0 knows
-- neither column: it writes and reads format 1.
alter table render_jobs add column format integer not null default 1;
alter table render_cache add column format integer not null default 1;
alter table workers add column reads integer not null default 1;

-- Workers of later versions pass over what they cannot read. One of 0.1.0 claims the oldest job whatever it is: such a
-- claim changes nothing, so the worker finds no job until a newer worker has claimed that one.
create function keep_from_older_workers() returns trigger language plpgsql as $$
begin
  return case when new.format <= (select reads from workers where id = new.worker) then new end; end
$$;

create trigger render_jobs_format before update of worker on render_jobs for each row
  when (new.format > 1 and new.worker is not null and new.worker is distinct from old.worker)
  execute function keep_from_older_workers();
