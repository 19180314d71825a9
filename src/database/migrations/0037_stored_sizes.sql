-- Bytes of finished files of each tenant of the queue: an owner of jobs, or all visitors of the page together. A row per
-- tenant, so as many as there are keys. Adding up the files at each start would take long for an owner of 100,000.
create table stored_sizes (
  tenant text primary key,
  bytes bigint not null
) with (fillfactor = 50);

-- Bytes of finished files that the plan allows, as of the job's start; null: no limit. Earlier versions do not set it.
alter table render_jobs add column stored_quota bigint;

-- When the next file of a tenant expires.
create index render_jobs_stored on render_jobs ((case when visitor then '' else owner end), expires_at)
  where state = 'done' and file_key is not null;

-- Whichever version's node stores, loses or deletes a file, the size changes in the same transaction. A statement
-- changes the sizes in the order of their tenants, so that concurrent ones never wait for each other in a circle.
create function count_added_files() returns trigger language plpgsql as $$
begin
  insert into stored_sizes as s (tenant, bytes)
  select case when visitor then '' else owner end as tenant, sum(file_size) from added
  where state = 'done' and file_key is not null and file_size > 0 group by 1 order by 1
  on conflict (tenant) do update set bytes = s.bytes + excluded.bytes; return null; end
$$;

create function count_deleted_files() returns trigger language plpgsql as $$
begin
  insert into stored_sizes as s (tenant, bytes)
  select case when visitor then '' else owner end as tenant, -sum(file_size) from deleted
  where state = 'done' and file_key is not null and file_size > 0 group by 1 order by 1
  on conflict (tenant) do update set bytes = s.bytes + excluded.bytes; return null; end
$$;

create function count_changed_files() returns trigger language plpgsql as $$
begin
  insert into stored_sizes as s (tenant, bytes)
  select tenant, sum(size) from (
    select case when visitor then '' else owner end as tenant, file_size as size from added
    where state = 'done' and file_key is not null and file_size > 0
    union all select case when visitor then '' else owner end, -file_size from deleted
    where state = 'done' and file_key is not null and file_size > 0
  ) as changes group by 1 having sum(size) <> 0 order by 1
  on conflict (tenant) do update set bytes = s.bytes + excluded.bytes; return null; end
$$;

create trigger render_jobs_files_added after insert on render_jobs
  referencing new table as added for each statement execute function count_added_files();

create trigger render_jobs_files_deleted after delete on render_jobs
  referencing old table as deleted for each statement execute function count_deleted_files();

create trigger render_jobs_files_changed after update on render_jobs
  referencing old table as deleted new table as added for each statement execute function count_changed_files();

-- The triggers have locked the table, so no file is missed.
insert into stored_sizes (tenant, bytes)
  select case when visitor then '' else owner end, sum(file_size) from render_jobs
  where state = 'done' and file_key is not null and file_size > 0 group by 1;
