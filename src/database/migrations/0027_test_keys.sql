-- Whether the key is a test key, whose requests go to the lab and are free of charge. It never changes.
alter table api_keys add column test boolean not null default false;

-- Whether a test key started the job, so that its inputs come from the lab.
alter table render_jobs add column test boolean not null default false;
