-- Failed jobs keep their descriptions for retries. An owner keeps up to 100 large ones; later jobs fail without theirs,
-- whichever version's node ends them.
create index render_jobs_large_failed on render_jobs (owner) where state = 'failed' and octet_length(description) > 4096;

create function limit_failed_descriptions() returns trigger language plpgsql as $$
begin
  if (
    select count(*) from (
      select from render_jobs where owner = new.owner and state = 'failed' and octet_length(description) > 4096 limit 100
    ) as kept
  ) >= 100 then new.description := null; end if; return new; end
$$;

create trigger render_jobs_failed before insert or update of state on render_jobs for each row
  when (new.state = 'failed' and octet_length(new.description) > 4096)
  execute function limit_failed_descriptions();
