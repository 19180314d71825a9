import { planNames } from '../../contract/subscription-plans.ts';
import { defineCommand, type Invocation, type Options } from '../command-line/command.ts';
import { parseWholeNumber } from '../command-line/parse.ts';
import { UsageError } from '../errors/command-errors.ts';
import { type AdminClient, openAdminClient } from '../service/admin-client.ts';
import { sanitiseJson } from '../terminal/sanitise.ts';
import { formatTable } from '../terminal/table.ts';

/** A key in responses of the admin API. */
interface KeyResponse {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly plan: string;
  readonly createdAt: string;
  readonly revokedAt: string | null;
  /** Only present in the response that creates the key. */
  readonly key?: string;
  readonly usage?: { readonly credits: number; readonly requests: number };
}

const options = {
  plan: {
    type: 'string',
    value: '<plan>',
    suggestions: planNames,
    description: `Plan of a new key: ${planNames.join(', ')}.`,
  },
  kind: {
    type: 'string',
    value: '<kind>',
    suggestions: ['extraction', 'render'],
    description: 'API that the key gives access to: extraction (default) or render.',
  },
  name: { type: 'string', value: '<text>', description: 'Name of the key, for your own reference.' },
  grace: { type: 'string', value: '<seconds>', description: 'How long a rotated key remains valid; default 0.' },
  json: { type: 'boolean', description: 'Print the unchanged response of the admin API.' },
} as const satisfies Options;

type KeysInvocation = Invocation<typeof options>;

/** `millrace keys`. */
export const keysCommand = defineCommand({
  name: 'keys',
  summary: 'Create, list, rotate and revoke keys.',
  usage: [
    'create --plan <plan> [--kind <kind>] [--name <text>]',
    'list',
    'rotate <id> [--grace <seconds>]',
    'revoke <id>',
  ],
  arity: [1, 2],
  firstArguments: ['create', 'list', 'rotate', 'revoke'],
  options,
  details: `This command calls the admin API of the service on this machine. The service must run with ADMIN_PORT and ADMIN_TOKEN,
and the command needs the same two in its environment or in a .env file.`,
  async run(invocation: KeysInvocation) {
    const { values, terminal } = invocation;
    // Loaded on demand, because the settings module loads the configuration of all platforms.
    const connect = async () => openAdminClient((await import('../../config.ts')).readConfig(invocation.environment));
    const { response, format } = await runSubcommand(invocation, connect);
    await terminal.print(values.json === true ? `${sanitiseJson(response, 2)}\n` : format(response));
    return 0;
  },
});

/** Sends a request to the admin API, and returns the response with the function that formats it for people. */
async function runSubcommand(
  { values, positionals: [command, id] }: KeysInvocation,
  connect: () => Promise<AdminClient>,
): Promise<{ response: unknown; format: (response: unknown) => string }> {
  switch (command) {
    case 'create': {
      if (id !== undefined) throw new UsageError(`Unexpected argument: "${id}". Set the name of the key with --name.`);
      const { plan, kind, name } = values;
      if (plan === undefined) throw new UsageError('Set the plan of the key with --plan.');
      const body = {
        plan: plan.toUpperCase(),
        ...(kind === undefined ? {} : { kind }),
        ...(name === undefined ? {} : { name }),
      };
      return { response: await (await connect()).request('POST', '/admin/keys', body), format: issuedText };
    }
    case 'list':
      return { response: await (await connect()).request('GET', '/admin/keys'), format: listText };
    case 'revoke': {
      const path = pathOf(id);
      return { response: await (await connect()).request('DELETE', path), format: revokedText };
    }
    case 'rotate': {
      const path = `${pathOf(id)}/rotate`;
      const body = { graceSeconds: parseWholeNumber('grace', values.grace ?? '0', 0) };
      return { response: await (await connect()).request('POST', path, body), format: issuedText };
    }
    default:
      throw new UsageError(`Unknown command: keys ${command}.`);
  }
}

function pathOf(id: string | undefined): string {
  if (id === undefined) throw new UsageError('Pass the ID of the key, as shown by "millrace keys list".');
  return `/admin/keys/${encodeURIComponent(id)}`;
}

function issuedText(response: unknown): string {
  const { id, kind, plan, key } = response as KeyResponse;
  return `${key}\n\nStore this key now: it will not be shown again. It is the ${kind} key ${id} with the plan ${plan}.\n`;
}

function revokedText(response: unknown): string {
  const { id } = response as KeyResponse;
  return `Revoked the key ${id}.\n`;
}

function listText(response: unknown): string {
  const { keys } = response as { keys: readonly KeyResponse[] };
  const rows = keys.map(({ id, kind, plan, name, createdAt, revokedAt, usage }) => [
    id,
    kind,
    plan,
    `${usage?.credits ?? 0}`,
    `${usage?.requests ?? 0}`,
    createdAt.slice(0, 10),
    revokedAt === null ? 'active' : `revoked ${revokedAt.slice(0, 10)}`,
    name,
  ]);
  return formatTable([['ID', 'KIND', 'PLAN', 'CREDITS', 'REQUESTS', 'CREATED', 'STATE', 'NAME'], ...rows]);
}
