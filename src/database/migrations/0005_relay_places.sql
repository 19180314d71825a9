-- Places for relay connections that a node holds for an account. Not logged: each node writes its own anew every second,
-- so a crash of the server loses nothing, and no write waits for a disk.
create unlogged table relay_places (
  owner text not null,
  node uuid not null,
  places integer not null check (places > 0),
  expires_at timestamptz not null,
  primary key (owner, node)
) with (fillfactor = 40);

-- Says how many places a node holds for each owner, and asks for more, where any are wanted: as many are given as all
-- nodes together leave of `most`. Who asks is let in one after the other for each owner (the lock's class is one of
-- ours; it goes with the transaction), so that no two nodes are given the same place; the statement after it sees what
-- those before have taken.
create function hold_relay_places(
  this_node uuid, most integer, seconds integer, owners text[], held integer[], wanted integer[]
) returns table (owner text, places integer) language plpgsql as $$
#variable_conflict use_column
begin
  perform pg_advisory_xact_lock(7417003, key) from (
    select distinct hashtext(o) as key from unnest(owners, wanted) as asking (o, more) where more > 0 order by 1
  ) as keys; return query
  with asking as (
    select * from unnest(owners, held, wanted) as a (owner, held, wanted)
  ), others as (
    select r.owner, sum(r.places)::integer as places from relay_places r
    where r.owner = any(owners) and r.node <> this_node and r.expires_at > now() group by r.owner
  ), given as (
    select a.owner, a.held + greatest(0, least(a.wanted, most - a.held - coalesce(o.places, 0))) as places
    from asking a left join others o using (owner)
  ), kept as (
    insert into relay_places (owner, node, places, expires_at)
    select g.owner, this_node, g.places, now() + seconds * interval '1 second' from given g where g.places > 0 order by 1
    on conflict (owner, node) do update set places = excluded.places, expires_at = excluded.expires_at
  ), left_over as (
    delete from relay_places r using given g where r.owner = g.owner and r.node = this_node and g.places = 0
  )
  select g.owner, g.places from given g; end
$$;
