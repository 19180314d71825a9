-- Every step of a run names it, and every download its file: with a million kept jobs, half a second each without these
-- (measured 2026-11-21). The size stands beside the file so that all are added up without reading the jobs.
create index render_jobs_run on render_jobs (run) where run is not null;

create index render_jobs_file on render_jobs (file_key) include (file_size) where file_key is not null;

create index render_cache_expiry on render_cache (expires_at);
