-- An owner's pending events take up to 16 MiB. Each webhook of a job has its own, and keeps it until it is delivered.
create index render_webhooks_with_event on render_webhooks (owner, octet_length(event)) where event is not null;

create index late_webhooks_of_owner on late_webhooks (owner);

-- Whether an event of so many bytes can be stored besides those of its owner.
create function has_room_for_event(account text, bytes integer) returns boolean language sql stable as $$
  select bytes + (
    select coalesce(sum(octet_length(event)), 0) from render_webhooks where owner = account and event is not null
  ) + (
    select coalesce(sum(coalesce(octet_length(event), 0) + coalesce(pg_column_size(status), 0)), 0)
    from late_webhooks where owner = account
  ) <= 16777216
$$;

-- A pending event that was not tried before its job is deleted is kept if there is room for it.
create or replace function keep_late_webhook() returns trigger language plpgsql as $$
begin
  insert into late_webhooks
    (job_id, owner, delivery_id, webhook_id, target, event, status, due_at, attempts, ended_at)
  select job_id, owner, delivery_id, webhook_id, target, event, case when event is null then last_status(old) end,
    due_at, attempts, ended_at
  from render_webhooks where job_id = old.id and state = 'pending' and target is not null
    and (event is not null or has_room_for_event(owner, 0)) for update
  on conflict do nothing; return old; end
$$;
