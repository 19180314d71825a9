-- Changes by operators. Entries are only added; entries that are old enough are deleted by the sweeper.
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor text not null,
  action text not null,
  target text not null,
  -- The changed members: {"plan":{"before":"PRO","after":"MEGA"}}. Never secrets.
  changes jsonb not null,
  reason text,
  request_id text
);

create index audit_log_target on audit_log (target, id);

create index audit_log_at on audit_log (at);

-- Refuses changes of entries, and deletions except those of the sweeper, which names itself in its transaction.
create function keep_audit_entry() returns trigger language plpgsql as $$ begin
  if tg_op = 'DELETE' and current_setting('millrace.audit_retention', true) = 'on' and old.at < now() - interval '1 day'
  then return old; end if; raise exception 'the audit log is append-only'; end
$$;

create trigger audit_log_kept before update or delete on audit_log for each row execute function keep_audit_entry();

-- The HMAC of a key under the key hash secret, which is independent of the signing secrets. Null until this version
-- has seen the key. `hash`, under a signing secret, is what nodes of earlier versions look a key up by.
alter table api_keys add column key_hash text unique;
alter table retired_key_hashes add column key_hash text unique;

-- When the key stops working, and when and why it was disabled.
alter table api_keys add column expires_at timestamptz;
alter table api_keys add column disabled_at timestamptz;
alter table api_keys add column disabled_reason text;

-- Credits in a month after which the operator is warned, and the last month in which that happened.
alter table api_keys add column spend_warning integer check (spend_warning > 0);
alter table api_keys add column spend_warned_month text;

create index api_keys_spend_warning on api_keys (id) where spend_warning is not null;

-- A node of an earlier version replaces only `hash`. The replaced key must then no longer be found by its `key_hash`.
create function forget_replaced_key() returns trigger language plpgsql as $$ begin
  if new.key_hash is not distinct from old.key_hash then new.key_hash := null; end if; return new; end
$$;

create trigger api_keys_replaced before update of hash on api_keys for each row
  when (new.hash is distinct from old.hash) execute function forget_replaced_key();
