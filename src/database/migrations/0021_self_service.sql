-- Lists of jobs, newest first: those of one owner, and those of all.
create index render_jobs_of_owner on render_jobs (owner, created_at, id);

create index render_jobs_by_age on render_jobs (created_at, id);

-- The webhooks of an account, which receive the last event of each of its jobs. `target` is the URL and the secret,
-- sealed like that of a job's own webhook.
create table account_webhooks (
  id uuid primary key,
  owner text not null,
  target text not null,
  created_at timestamptz not null default now()
);

create index account_webhooks_of_owner on account_webhooks (owner, created_at);

-- A job can have several deliveries. `webhook_id` names the webhook of the account; null for the job's own.
alter table render_webhooks drop constraint render_webhooks_pkey, add primary key (job_id, delivery_id),
  add column webhook_id uuid;

alter table late_webhooks add column webhook_id uuid;

-- Whichever version's node ends a job, the event for each webhook of its account falls due in the same transaction.
create or replace function let_webhook_fall_due() returns trigger language plpgsql as $$
declare announced boolean; begin
  insert into render_webhooks (job_id, owner, webhook_id, target, state, due_at, ended_at)
  select new.id, new.owner, w.id, w.target, 'pending', now(), now() from account_webhooks w
  where w.owner = new.owner; announced := found; update render_webhooks
  set state = 'pending', due_at = now(), ended_at = now() where job_id = new.id and state = 'waiting'; if found or announced
  then perform pg_notify('render_webhooks', new.id); end if; return null; end
$$;

-- A job that fails as it is started, because the queue is full.
create trigger render_jobs_failed_at_once after insert on render_jobs for each row
  when (new.state = 'failed') execute function let_webhook_fall_due();

create or replace function keep_late_webhook() returns trigger language plpgsql as $$
begin
  insert into late_webhooks
    (job_id, owner, delivery_id, webhook_id, target, event, status, due_at, attempts, ended_at)
  select job_id, owner, delivery_id, webhook_id, target, event, case when event is null then last_status(old) end,
    due_at, attempts, ended_at
  from render_webhooks where job_id = old.id and state = 'pending' and target is not null for update
  on conflict do nothing; return old; end
$$;
