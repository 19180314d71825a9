-- Requests whose price is known before they begin: admitted and paid at once, as many as the limits let through. One
-- demand at most for an account and month in a call; all its requests have the same price.
create function serve_payments(
  accounts text[], months text[], quotas integer[], rates double precision[], starts integer[], prices integer[]
) returns table (
  account text, month text, admitted integer, paid integer, spent integer, tokens double precision
) language plpgsql as $$
#variable_conflict use_column
begin
  return query
  with demand as (
    select * from unnest(accounts, months, quotas, rates, starts, prices)
      as d (account, month, quota, rate, starts, price)
  ), locked as (
    select d.*, u.spent, u.tokens, u.filled_at, clock_timestamp() as at
    from demand d join account_usage u using (account, month) order by account, month for update of u
  ), admission as (
    select *, least(starts, floor(available))::integer as admitted
    from locked, lateral (
      select least(rate, tokens + rate * greatest(0, extract(epoch from at - filled_at)::double precision)) as available
    ) as bucket
  ), supply as (
    select *, case when price = 0 then admitted else least(admitted, greatest(0, quota - spent) / price) end as paid
    from admission
  )
  update account_usage u
  set spent = s.spent + s.paid * s.price, requests = requests + admitted, tokens = available - admitted, filled_at = at
  from supply s where u.account = s.account and u.month = s.month
  returning u.account, u.month, admitted, paid, u.spent, u.tokens; end
$$;
