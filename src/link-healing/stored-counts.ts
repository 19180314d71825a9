import { advisoryLocks } from '../database/advisory-locks.ts';
import type { Database } from '../database/database.ts';
import { countedHours, MAX_INPUT_REPLACEMENTS, MAX_REQUESTS, type ReplacementCounts } from './replacement-counts.ts';

const insertStatement = `
  insert into link_replacements (subject, item, start, input)
  select $1, $2, $3, $4::integer
  from (
    select count(*) as requests, count(*) filter (where start = $3 and input = $4::integer) as of_input
    from link_replacements
    where subject = $1 and item = $2 and requested_at > now() - interval '${countedHours} hours'
  ) as counts
  where requests < ${MAX_REQUESTS} and of_input < ${MAX_INPUT_REPLACEMENTS}
  returning 1`;

/** Opens the counts of a database, which all nodes share. */
export function openStoredCounts(database: Database): ReplacementCounts {
  return {
    take: ({ subject, item, input }) =>
      database.transaction(async (sql) => {
        // Concurrent transactions do not see each other's rows, so those of one subject wait for each other.
        await sql.query('select pg_advisory_xact_lock($1::integer, hashtext($2))', [advisoryLocks.links, subject]);
        const rows = await sql.query(insertStatement, [subject, item, input?.start ?? null, input?.index ?? null]);
        return rows.length > 0;
      }),
  };
}
