-- How often the job ran out of disk space while its worker ran no other job.
alter table render_jobs add column full_disks integer not null default 0;
-- The last worker whose disk was full. Other workers claim the job before it.
alter table render_jobs add column full_disk_worker uuid;
alter table render_jobs add column full_disk_at timestamptz;
