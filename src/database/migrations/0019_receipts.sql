-- The signed receipt of the stored file (src/receipts/); null for files that earlier versions stored.
alter table render_jobs add column receipt text;

-- The public keys that receipts were signed with, so that receipts can be verified after their secret is removed.
create table receipt_keys (
  -- Thumbprint of the key (RFC 7638).
  key_id text primary key,
  -- The 32 bytes of the Ed25519 key in base64url.
  public_key text not null,
  first_used_at timestamptz not null default now(),
  -- To the hour.
  last_used_at timestamptz not null default now()
);

create or replace function last_status(job render_jobs) returns json language sql stable as $$
  select json_build_object('id', job.id, 'state', job.state, 'progress', job.progress, 'error', job.error,
    'error_code', job.error_code, 'retryable', job.retryable, 'error_input', job.error_input,
    'file_key', job.file_key, 'file_name', job.file_name, 'file_size', job.file_size, 'file_link', job.file_link,
    'has_receipt', job.receipt is not null, 'notes', job.notes, 'created_at', job.created_at,
    'expires_at', job.expires_at)
$$;
