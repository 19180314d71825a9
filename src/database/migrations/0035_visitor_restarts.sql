-- How often the job was restarted after a failure since this start. Only the first few restarts do not count as starts.
alter table visitor_starts add column restarts integer not null default 0;
