-- Each entry of the audit log has the hash of its content and of the entry before it, and a seal: the HMAC of that hash
-- under a signing secret (src/audit/audit-chain.ts). Null for entries of earlier versions until the chain begins.
alter table audit_log add column hash text;
alter table audit_log add column seal text;

-- Where the chain begins, with the seal of these values: the hash of the last entry that the sweeper deleted, the ID of
-- the last entry of an earlier version, and when the chain began. They are texts because exactly these are sealed.
create table audit_start (
  only_row boolean primary key default true check (only_row),
  hash text not null,
  adopted text not null,
  since text not null,
  seal text not null
);

-- As before, and lets the service chain the entries of earlier versions: nothing else may change with that.
create or replace function keep_audit_entry() returns trigger language plpgsql as $$ begin
  if tg_op = 'DELETE' and current_setting('millrace.audit_retention', true) = 'on' and old.at < now() - interval '1 day'
  then return old; elsif tg_op = 'UPDATE' and old.hash is null and old.seal is null
    and to_jsonb(new) - 'hash' - 'seal' = to_jsonb(old) - 'hash' - 'seal'
  then return new; end if; raise exception 'the audit log is append-only'; end
$$;
