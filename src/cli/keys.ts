import { parseArgs } from 'node:util';
import type { AdminClient } from './admin-client.ts';
import { UsageError } from './usage-error.ts';

/** A key, as the admin API tells it. */
interface KeyAnswer {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly plan: string;
  readonly createdAt: string;
  readonly revokedAt: string | null;
  /** Told once, when it is made. */
  readonly key?: string;
  readonly usage?: { readonly credits: number; readonly requests: number };
}

const options = {
  plan: { type: 'string' },
  kind: { type: 'string' },
  name: { type: 'string' },
  grace: { type: 'string' },
  json: { type: 'boolean' },
} as const;

/**
 * Carries out `millrace keys …`, and returns what it has to say.
 *
 * @throws UsageError, AdminError
 */
export async function keysCommand(args: readonly string[], connect: () => AdminClient): Promise<string> {
  const { values, positionals } = parse(args);
  const [command, id, ...more] = positionals;
  if (more.length > 0) throw new UsageError(`What does "${more.join(' ')}" mean here?`);
  const show = (answer: unknown, tell: (answer: unknown) => string) =>
    values.json ? `${JSON.stringify(answer, null, 2)}\n` : tell(answer);
  switch (command) {
    case 'create': {
      if (id !== undefined) throw new UsageError(`What does "${id}" mean here? A name follows --name.`);
      const { plan, kind, name } = values;
      if (plan === undefined) throw new UsageError('Say which plan the key has, with --plan.');
      const body = {
        plan: plan.toUpperCase(),
        ...(kind === undefined ? {} : { kind }),
        ...(name === undefined ? {} : { name }),
      };
      return show(await connect().ask('POST', '/admin/keys', body), tellIssued);
    }
    case 'list':
      return show(await connect().ask('GET', '/admin/keys'), tellList);
    case 'revoke':
      return show(await connect().ask('DELETE', pathOf(id)), tellRevoked);
    case 'rotate':
      return show(
        await connect().ask('POST', `${pathOf(id)}/rotate`, { graceSeconds: secondsOf(values.grace) }),
        tellIssued,
      );
    default:
      throw new UsageError(
        command === undefined ? 'Say what to do with keys.' : `There is no command keys ${command}.`,
      );
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function pathOf(id: string | undefined): string {
  if (id === undefined) throw new UsageError('Say which key, by the id that "millrace keys list" shows.');
  return `/admin/keys/${encodeURIComponent(id)}`;
}

function secondsOf(text = '0'): number {
  const seconds = Number(text);
  if (!Number.isInteger(seconds) || seconds < 0) throw new UsageError('--grace takes a whole number of seconds.');
  return seconds;
}

function tellIssued(answer: unknown): string {
  const { id, kind, plan, key } = answer as KeyAnswer;
  return `${key}\n\nThis is the key, shown this once. It is the ${kind} key ${id} with the plan ${plan}.\n`;
}

function tellRevoked(answer: unknown): string {
  const { id } = answer as KeyAnswer;
  return `The key ${id} is revoked.\n`;
}

function tellList(answer: unknown): string {
  const { keys } = answer as { keys: readonly KeyAnswer[] };
  const rows = keys.map(({ id, kind, plan, name, createdAt, revokedAt, usage }) => [
    id,
    kind,
    plan,
    `${usage?.credits ?? 0}`,
    `${usage?.requests ?? 0}`,
    createdAt.slice(0, 10),
    revokedAt === null ? 'works' : `revoked ${revokedAt.slice(0, 10)}`,
    name,
  ]);
  const table = [['ID', 'KIND', 'PLAN', 'CREDITS', 'REQUESTS', 'CREATED', 'STATE', 'NAME'], ...rows];
  const widths = table.reduce<number[]>((most, row) => row.map((cell, at) => Math.max(cell.length, most[at] ?? 0)), []);
  return table
    .map(
      (row) =>
        `${row
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
