-- SHA-256 of the stored file in base64, as `Repr-Digest` sends it (RFC 9530); null until it was computed.
alter table render_jobs add column file_sha256 text;
-- When the last check of the stored file began; null: never checked.
alter table render_jobs add column file_checked_at timestamptz;

create index render_jobs_unhashed on render_jobs (file_checked_at) where state = 'done' and file_sha256 is null;

create index render_jobs_hashed on render_jobs (file_checked_at) where state = 'done' and file_sha256 is not null;
