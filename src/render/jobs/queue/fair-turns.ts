import { waitingStates } from '../job-states.ts';
import { tenantOfJob, turnOfJob, visitors } from '../tenants.ts';

/**
 * The tenants that wait, each with the turn of its first job, as SQL: a recursive query that reads one entry of the
 * index for each tenant, however many jobs a tenant has.
 */
export const waitingTenants = `
  waiting_tenants (tenant, first_turn) as (
    (
      select ${tenantOfJob}, ${turnOfJob} from render_jobs where state in ${waitingStates} order by 1, 2 limit 1
    ) union all (
      select next.tenant, next.first_turn from waiting_tenants cross join lateral (
        select ${tenantOfJob} as tenant, ${turnOfJob} as first_turn from render_jobs
        where state in ${waitingStates} and ${tenantOfJob} > waiting_tenants.tenant
        order by 1, 2 limit 1
      ) as next
    )
  )`;

/**
 * The ID of the job whose turn it is, as SQL, locked: the first one of the tenant that occupies the fewest slots of all
 * workers. Among those, it is the turn of the tenant whose last claim was longest ago. So no tenant is served twice
 * while another one waits that occupies no more slots. Jobs whose result only waits for the store occupy none.
 *
 * @param isClaimable A condition on the job, as SQL.
 * @param mayBeVisitors Whether the job may be that of a visitor: a parameter of the statement, such as `$3`.
 */
export const jobInTurn = (isClaimable: string, mayBeVisitors: string) => `
  select next.id from (
    select tenant from waiting_tenants
      left join (
        select ${tenantOfJob} as tenant, count(*) as slots from render_jobs
        where run is not null and waiting_run is distinct from run group by 1
      ) as occupied using (tenant)
      left join claim_turns using (tenant)
    where ${mayBeVisitors} or tenant <> '${visitors}'
    order by coalesce(slots, 0), coalesce(turn, 0), first_turn
  ) as tenants cross join lateral (
    -- Evaluated tenant by tenant, up to the first job that no other worker is claiming.
    select id from render_jobs
    where state in ${waitingStates} and ${tenantOfJob} = tenants.tenant and ${isClaimable}
    order by ${turnOfJob} limit 1 for update skip locked
  ) as next limit 1`;

/** Ends the turns of the tenants in the rows of `taken`, as SQL. */
export const endTurns = `
  insert into claim_turns (tenant, turn) select tenant, nextval('claim_turn') from taken
  on conflict (tenant) do update set turn = excluded.turn`;
