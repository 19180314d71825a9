-- The outcome of the delivery of the file to the caller's store (DeliveryOutcome); null if the job has none, or before
-- the delivery ended. Contains nothing of the URL except the host.
alter table render_jobs add column delivery json;

create or replace function last_status(job render_jobs) returns json language sql stable as $$
  select json_build_object('id', job.id, 'state', job.state, 'progress', job.progress, 'error', job.error,
    'error_code', job.error_code, 'retryable', job.retryable, 'error_input', job.error_input,
    'file_key', job.file_key, 'file_name', job.file_name, 'file_size', job.file_size, 'file_sha256', job.file_sha256, 'file_link', job.file_link,
    'has_receipt', job.receipt is not null, 'notes', job.notes, 'delivery', job.delivery,
    'request_id', job.request_id, 'test', job.test, 'created_at', job.created_at, 'expires_at', job.expires_at)
$$;
