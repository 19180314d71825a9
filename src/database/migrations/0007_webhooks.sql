-- Where a job's last status event is posted to, and what came of it: a row for each job that wants that.
create table render_webhooks (
  job_id text primary key references render_jobs (id) on delete cascade,
  owner text not null,
  -- Names the event to who receives it: the same at each try.
  delivery_id uuid not null default gen_random_uuid(),
  -- Address and secret, sealed; erased when nothing is left to do.
  target text,
  state text not null default 'waiting' check (state in ('waiting', 'pending', 'delivered', 'given_up')),
  -- When it is tried next: while a node is at it, when others may think that it was lost.
  due_at timestamptz,
  -- How often a node has taken it up.
  attempts integer not null default 0,
  -- What came of each try, in their order.
  tries jsonb not null default '[]'
);

create index render_webhooks_due on render_webhooks (due_at) where state = 'pending';

-- However a job ends, and whichever version's node ends it, its event falls due in the same transaction.
create function let_webhook_fall_due() returns trigger language plpgsql as $$
begin
  update render_webhooks set state = 'pending', due_at = now() where job_id = new.id and state = 'waiting'; if found
  then perform pg_notify('render_webhooks', new.id); end if; return null; end
$$;

create trigger render_jobs_over after update of state on render_jobs for each row
  when (new.state in ('done', 'failed') and old.state not in ('done', 'failed'))
  execute function let_webhook_fall_due();
