-- How often the job ran out of disk while it was the only one at work on its worker.
alter table render_jobs add column full_disks integer not null default 0;
-- The last worker whose disk was full: others go first.
alter table render_jobs add column full_disk_worker uuid;
alter table render_jobs add column full_disk_at timestamptz;
