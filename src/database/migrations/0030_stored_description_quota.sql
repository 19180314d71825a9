-- What an account stores is counted at each store call.
create index render_cache_of_owner on render_cache (owner, expires_at);
