-- Each entry of the audit log has the hash of its content and of the entry before it, and a seal: the HMAC of that hash
-- under a signing secret (src/audit/audit-chain.ts). Null for entries of earlier versions.
alter table audit_log add column hash text;
alter table audit_log add column seal text;

-- Where the chain begins, after the sweeper has deleted older entries: the hash of the last one, and its seal.
create table audit_start (
  only_row boolean primary key default true check (only_row),
  hash text not null,
  seal text not null
);

-- The text that is hashed. Both the service and its verification get it from here.
create function audit_content(at timestamptz, actor text, action text, target text, changes jsonb, reason text,
  request_id text) returns text language sql stable as $$
  select jsonb_build_array((extract(epoch from at) * 1000000)::bigint, actor, action, target, changes, reason,
    request_id)::text
$$;
