-- When the job ended. Its event is delivered within a day of that. Null if a node of version 0.1.0 made it due.
alter table render_webhooks add column ended_at timestamptz;
-- The event as the first attempt sent it, sealed, for later attempts. Erased together with `target`.
alter table render_webhooks add column event text;

create or replace function let_webhook_fall_due() returns trigger language plpgsql as $$
begin
  update render_webhooks set state = 'pending', due_at = now(), ended_at = now()
  where job_id = new.id and state = 'waiting'; if found
  then perform pg_notify('render_webhooks', new.id); end if; return null; end
$$;

-- The columns that make up the last status event of a job. `json`, because `jsonb` rejects U+0000 in a quoted name.
create function last_status(job render_jobs) returns json language sql stable as $$
  select json_build_object('id', job.id, 'state', job.state, 'progress', job.progress, 'error', job.error,
    'error_code', job.error_code, 'retryable', job.retryable, 'error_input', job.error_input,
    'file_key', job.file_key, 'file_name', job.file_name, 'file_size', job.file_size, 'file_link', job.file_link,
    'notes', job.notes, 'created_at', job.created_at, 'expires_at', job.expires_at)
$$;

-- Undelivered webhooks of deleted jobs. A row is deleted when its event is delivered or given up.
create table late_webhooks (
  job_id text not null,
  owner text not null,
  delivery_id uuid not null,
  target text not null,
  -- The event, sealed. Null before the first attempt: then `status` has what it is made of.
  event text,
  status json,
  due_at timestamptz not null,
  attempts integer not null,
  ended_at timestamptz,
  primary key (job_id, delivery_id)
);

create index late_webhooks_due on late_webhooks (due_at);

-- Keeps a pending event when its job is deleted, by any version. The exception is a failed job that is deleted before
-- it expires: that job is started again, and only the end of the new run is reported.
create function keep_late_webhook() returns trigger language plpgsql as $$
begin
  insert into late_webhooks (job_id, owner, delivery_id, target, event, status, due_at, attempts, ended_at)
  select job_id, owner, delivery_id, target, event, case when event is null then last_status(old) end, due_at, attempts,
    ended_at
  from render_webhooks where job_id = old.id and state = 'pending' and target is not null for update
  on conflict do nothing; return old; end
$$;

create trigger render_jobs_gone before delete on render_jobs for each row
  when (old.state = 'done' or old.state = 'failed' and old.expires_at <= now())
  execute function keep_late_webhook();
