-- The number of the last call of the ledger that a process has made about an account and month. A call that the server
-- runs after a later one is late: the process gave it up, and has reserved or settled other credits since.
alter table credit_holds add column call bigint not null default 0;

-- Serves those demands of a call whose account and month has seen no later call of this process, and leaves the others
-- out. It locks the holds in a statement of its own, so that settle_and_reserve sees what an earlier call that was
-- still under way has reserved.
create function serve_call(
  this_node uuid, this_call bigint, accounts text[], months text[], quotas integer[], rates double precision[],
  prices text[], under_way integer[], charged integer[]
) returns table (
  account text, month text, granted boolean[], spent integer, tokens double precision
) language plpgsql as $$
#variable_conflict use_column
begin
  with current as (
    insert into credit_holds as h (node, account, month, credits, expires_at, call)
    select this_node, account, month, 0, now() + interval '2 minutes', this_call
    from unnest(accounts, months) as d (account, month) order by account, month
    on conflict on constraint credit_holds_pkey
      do update set expires_at = excluded.expires_at, call = excluded.call where h.call < excluded.call
    returning account, month
  )
  select array_agg(account), array_agg(month), array_agg(quota), array_agg(rate), array_agg(list),
    array_agg(kept), array_agg(cost)
  into accounts, months, quotas, rates, prices, under_way, charged
  from unnest(accounts, months, quotas, rates, prices, under_way, charged)
    as d (account, month, quota, rate, list, kept, cost) join current using (account, month); return query
  select * from settle_and_reserve(this_node, accounts, months, quotas, rates, prices, under_way, charged); end
$$;
