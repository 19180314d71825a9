import type { Static } from 'typebox';
import type { AuditEntry } from '../../contract/admin-api/audit-entry.ts';
import type { adminRoutes } from '../../contract/admin-api/routes.ts';
import { UsageError } from '../errors/command-errors.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { formatTable } from '../terminal/table.ts';
import { type AdminArguments, type AdminOperation, queryOf, requiredOption, timeCell } from './operation.ts';

/** Options that filter the audit log, and the parameters of the admin API for them. */
const filters = { actor: 'actor', action: 'action', target: 'target', limit: 'limit', cursor: 'cursor' } as const;

/** The operations on the audit log: `millrace admin audit`, which lists it, `verify` and `accept`. */
export const auditOperations = { '': listAudit, verify: verifyAudit, accept: acceptAudit };

function listAudit(given: AdminArguments): AdminOperation {
  const [word] = given.words;
  if (word !== undefined) throw new UsageError(`Unexpected argument: "${word}".`);
  return { method: 'GET', path: `/admin/audit?${queryOf(given, filters)}`, format: listText };
}

function verifyAudit(given: AdminArguments): AdminOperation {
  const [word] = given.words;
  if (word !== undefined) throw new UsageError(`Unexpected argument: "${word}".`);
  return {
    method: 'GET',
    path: `/admin/audit/verify?${queryOf(given, { anchor: 'anchor' })}`,
    format: verificationText,
    exitCode: (response) => ((response as Verification).intact ? exitCodes.success : exitCodes.unverified).code,
  };
}

function acceptAudit(given: AdminArguments): AdminOperation {
  const [word] = given.words;
  if (word !== undefined) throw new UsageError(`Unexpected argument: "${word}".`);
  const since = requiredOption(given, 'since', 'the time that "millrace admin audit verify" prints');
  return {
    method: 'POST',
    path: '/admin/audit/accept',
    body: { since },
    format: () => `Accepted: the chain of the audit log began at ${since}.\n`,
  };
}

type Verification = Static<(typeof adminRoutes.verifyAuditLog.responses)[200]['schema']>;

const faultTexts: Readonly<Record<Verification['faults'][number]['kind'], string>> = {
  altered: 'was changed, or entries before it were changed, deleted, inserted or reordered',
  unchained: 'is not chained: an earlier version wrote it during an upgrade, or it was inserted',
  unsealed: 'and those after it have no seal of a present signing secret',
  wrong_start: 'The record of where the log begins is missing or was changed',
  not_accepted:
    'The chain began at the time above. If an upgrade explains that, run "millrace admin audit accept --since <time>"; otherwise, somebody has removed an earlier chain',
  missing: 'The entry of --anchor does not exist',
};

function verificationText(response: unknown): string {
  const { intact, entries, adopted, unchained, since, head, faults } = response as Verification;
  const lines = faults.map(({ kind, entry }) => `${entry === null ? '' : `Entry ${entry} `}${faultTexts[kind]}.\n`);
  const counts = `${entries} entries, of which ${adopted} are older than the chain and ${unchained} are not chained.`;
  const checked = `${counts}\nChained since: ${since ?? 'unknown'}\nHead: ${head ?? 'none'}\n`;
  return `${intact ? 'Intact' : 'NOT INTACT'}: ${checked}${lines.join('')}`;
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
