-- Grants requests their credits in the order of their arrival, each in full or not at all: `granted` has a member for
-- each request, `total` is what was granted together.
create function grant_credits(
  prices integer[], available integer, out granted boolean[], out total integer
) language plpgsql immutable as $$
declare price integer; fits boolean; begin
  granted := '{}'; total := 0; foreach price in array prices loop
    fits := price <= available - total; granted := granted || fits; total := total + price * fits::integer; end loop; end
$$;

-- Settles requests that are over, then admits as many others as the rate allows and reserves their credits, in one step
-- for each account and month. `prices` is an array literal for each account, in the order of arrival; `granted` has a
-- member for each request that was admitted. `under_way` is what this process has reserved for requests that are not
-- over, as far as it knows. What its hold has beyond that is returned: the requests are over, or the process never
-- learned that they were granted. The rows of an account are locked before they are read, so that no two processes grant
-- the same credit. What a hold no longer covers (it had expired and was given back) is charged like new. Accounts without
-- a row are left out. Replaces serve_demands, which nodes of the version before still call.
create function settle_and_reserve(
  this_node uuid, accounts text[], months text[], quotas integer[], rates double precision[], prices text[],
  under_way integer[], charged integer[]
) returns table (
  account text, month text, granted boolean[], spent integer, tokens double precision
) language plpgsql as $$
#variable_conflict use_column
begin
  return query
  with demand as (
    select d.*, list::integer[] as prices from unnest(accounts, months, quotas, rates, prices, under_way, charged)
      as d (account, month, quota, rate, list, under_way, charged)
  ), locked as (
    select d.*, u.spent, u.tokens, u.filled_at, clock_timestamp() as at
    from demand d join account_usage u using (account, month) order by account, month for update of u
  ), held as (
    select l.*, coalesce((
      select h.credits from credit_holds h
      where h.node = this_node and h.account = l.account and h.month = l.month for update
    ), 0) as held from locked l
  ), admission as (
    select *, greatest(0, held - under_way) as returned,
      prices[:least(cardinality(prices), floor(available))::integer] as admitted
    from held, lateral (
      select least(rate, tokens + rate * greatest(0, extract(epoch from at - filled_at)::double precision)) as available
    ) as bucket
  ), supply as (
    select * from admission, lateral grant_credits(admitted, greatest(0, quota - (spent - returned + charged)))
  ), holds as (
    -- Longer than any request can be under way.
    insert into credit_holds (node, account, month, credits, expires_at)
    select this_node, account, month, held - returned + total, now() + interval '2 minutes'
    from supply where returned > 0 or total > 0
    on conflict on constraint credit_holds_pkey
      do update set credits = excluded.credits, expires_at = excluded.expires_at
  )
  update account_usage u
  set spent = s.spent - returned + charged + total, requests = requests + cardinality(admitted),
    tokens = available - cardinality(admitted), filled_at = at
  from supply s where u.account = s.account and u.month = s.month
  returning u.account, u.month, granted, u.spent, u.tokens; end
$$;
