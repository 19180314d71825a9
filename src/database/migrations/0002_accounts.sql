-- What the operator calls a key.
alter table api_keys add column name text not null default '';

-- Keys that were replaced by rotation: they work until then. They stay known, so that seeding one makes no new key.
create table retired_key_hashes (
  hash text primary key,
  key_id uuid not null references api_keys (id),
  works_until timestamptz not null
);

-- What an account has used, by calendar month (UTC, such as 2026-11).
create table account_usage (
  account text not null,
  month text not null,
  -- Credits that are gone, those of requests under way (credit_holds) included.
  spent integer not null default 0 check (spent >= 0),
  -- Requests that the rate limit let through.
  requests integer not null default 0,
  -- Requests that the rate limit would let through now: a bucket that is filled as time goes by.
  tokens double precision not null,
  filled_at timestamptz not null default now(),
  primary key (account, month)
) with (fillfactor = 40);

-- Credits reserved for requests under way: for each process and account their sum, to be given back should the process
-- be lost before it has settled them.
create table credit_holds (
  node uuid not null,
  account text not null,
  month text not null,
  credits integer not null check (credits >= 0),
  expires_at timestamptz not null,
  primary key (node, account, month)
) with (fillfactor = 40);

-- Serves what the requests of accounts want, one row for each account and month: lets as many begin as the rate allows,
-- reserves credits for them, at most the dearest price for each and no more than there are, and settles those that are
-- over. An account's row is locked before it is read, so that no two processes grant the same credit. What a hold does
-- not cover any more (it had expired and was given back) is charged like new. Accounts without a row are left out.
-- A function, because its plan is kept: planning takes three times as long as the work (measured 2026-11-21, PGlite).
create function serve_demands(
  this_node uuid, accounts text[], months text[], quotas integer[], rates double precision[], starts integer[],
  credits integer[], dearest integer[], reserved integer[], charged integer[]
) returns table (
  account text, month text, admitted integer, granted integer, spent integer, tokens double precision
) language plpgsql as $$
#variable_conflict use_column
begin
  return query
  with demand as (
    select * from unnest(accounts, months, quotas, rates, starts, credits, dearest, reserved, charged)
      as d (account, month, quota, rate, starts, credits, dearest, reserved, charged)
  ), locked as (
    select d.*, u.spent, u.tokens, u.filled_at, clock_timestamp() as at
    from demand d join account_usage u using (account, month) order by account, month for update of u
  ), filled as (
    select l.*, coalesce(h.credits, 0) as held, least(l.reserved, coalesce(h.credits, 0)) as returned,
      least(rate, tokens + rate * greatest(0, extract(epoch from at - filled_at)::double precision)) as available
    from locked l left join credit_holds h on h.node = this_node and h.account = l.account and h.month = l.month
  ), admission as (
    select *, least(starts, floor(available))::integer as admitted from filled
  ), supply as (
    select *, least(credits, admitted * dearest, greatest(0, quota - (spent - returned + charged))) as granted
    from admission
  ), holds as (
    -- Longer than any request can be under way.
    insert into credit_holds (node, account, month, credits, expires_at)
    select this_node, account, month, held - returned + granted, now() + interval '2 minutes'
    from supply where returned > 0 or granted > 0
    on conflict on constraint credit_holds_pkey
      do update set credits = excluded.credits, expires_at = excluded.expires_at
  )
  update account_usage u
  set spent = s.spent - returned + charged + granted, requests = requests + admitted,
    tokens = available - admitted, filled_at = at
  from supply s where u.account = s.account and u.month = s.month
  returning u.account, u.month, admitted, granted, u.spent, u.tokens; end
$$;

-- The unfinished jobs of an owner are counted at each start.
create index render_jobs_unfinished on render_jobs (owner) where state not in ('done', 'failed');
