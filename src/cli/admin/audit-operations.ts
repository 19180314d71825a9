import type { AuditEntry } from '../../contract/admin-api/audit-entry.ts';
import { UsageError } from '../errors/command-errors.ts';
import { formatTable } from '../terminal/table.ts';
import { type AdminArguments, type AdminOperation, queryOf, timeCell } from './operation.ts';

/** Options that filter the audit log, and the parameters of the admin API for them. */
const filters = { actor: 'actor', action: 'action', target: 'target', limit: 'limit', cursor: 'cursor' } as const;

/** Lists the audit log: `millrace admin audit`. */
export function listAudit(given: AdminArguments): AdminOperation {
  const [word] = given.words;
  if (word !== undefined) throw new UsageError(`Unexpected argument: "${word}".`);
  return { method: 'GET', path: `/admin/audit?${queryOf(given, filters)}`, format: listText };
}

function listText(response: unknown): string {
  const { entries, nextCursor } = response as { entries: readonly AuditEntry[]; nextCursor: string | null };
  const rows = entries.map(({ at, actor, action, target, changes, reason }) => [
    timeCell(at),
    actor,
    action,
    target,
    Object.entries(changes)
      .map(([name, { before, after }]) => `${name}: ${before ?? 'none'} → ${after ?? 'none'}`)
      .join(', '),
    reason ?? '',
  ]);
  const table = formatTable([['TIME', 'ACTOR', 'ACTION', 'TARGET', 'CHANGES', 'REASON'], ...rows]);
  return nextCursor === null
    ? table
    : `${table}\nOlder changes follow: repeat the command with --cursor ${nextCursor}\n`;
}
