import { planNames } from '../../contract/subscription-plans.ts';
import { timeOf } from '../admin/operation.ts';
import { defineCommand, type Invocation, type Options } from '../command-line/command.ts';
import { parseWholeNumber } from '../command-line/parse.ts';
import { UsageError } from '../errors/command-errors.ts';
import { changedKeyText, issuedKeyText, keyListText } from '../formatters/key-texts.ts';
import { type AdminClient, adminAccess, openAdminClient } from '../service/admin-client.ts';
import { readSettings, settingsOption } from '../service/command-settings.ts';
import { sanitiseJson } from '../terminal/sanitise.ts';

const options = {
  plan: {
    type: 'string',
    value: '<plan>',
    suggestions: planNames,
    description: `Plan of the key: ${planNames.join(', ')}.`,
  },
  kind: {
    type: 'string',
    value: '<kind>',
    suggestions: ['extraction', 'render'],
    description: 'API that the key gives access to: extraction (default) or render.',
  },
  test: { type: 'boolean', description: 'Create a test key: its requests go to the lab and are free of charge.' },
  name: { type: 'string', value: '<text>', description: 'Name of the key, for your own reference.' },
  expires: {
    type: 'string',
    value: '<time>',
    description: 'When the key stops working: a date (UTC), a time such as 2027-01-01T12:00:00Z, or never.',
  },
  'spend-warning': {
    type: 'string',
    value: '<credits>',
    description: 'Credits in a month after which the service logs a warning, or none.',
  },
  reason: { type: 'string', value: '<text>', description: 'Reason of the change, for the audit log.' },
  grace: { type: 'string', value: '<seconds>', description: 'How long a rotated key remains valid; default 0.' },
  ...settingsOption,
  json: { type: 'boolean', description: 'Print the unchanged response of the admin API.' },
} as const satisfies Options;

type KeysInvocation = Invocation<typeof options>;

/** `millrace keys`. */
export const keysCommand = defineCommand({
  name: 'keys',
  summary: 'Create, list, change, rotate and revoke keys.',
  usage: [
    'create --plan <plan> [--kind <kind>] [--test] [--name <text>] [options]',
    'list',
    'update <id> [--plan <plan>] [--name <text>] [--expires <time>] [--spend-warning <credits>]',
    'disable <id> --reason <text>',
    'enable <id> [--reason <text>]',
    'rotate <id> [--grace <seconds>]',
    'revoke <id>',
  ],
  arity: [1, 2],
  firstArguments: ['create', 'list', 'update', 'disable', 'enable', 'rotate', 'revoke'],
  options,
  details: adminAccess,
  async run(invocation: KeysInvocation) {
    const { values, terminal } = invocation;
    const connect = async () => openAdminClient(await readSettings(invocation));
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
      const { plan, kind, test, name, expires, 'spend-warning': warning } = values;
      if (plan === undefined) throw new UsageError('Set the plan of the key with --plan.');
      const body = {
        plan: plan.toUpperCase(),
        ...(kind === undefined ? {} : { kind }),
        ...(test === undefined ? {} : { test }),
        ...(name === undefined ? {} : { name }),
        ...(expires === undefined || expires === 'never' ? {} : { expiresAt: timeOf(expires) }),
        ...(warning === undefined || warning === 'none'
          ? {}
          : { spendWarning: parseWholeNumber('spend-warning', warning, 1) }),
      };
      return { response: await (await connect()).request('POST', '/admin/keys', body), format: issuedKeyText };
    }
    case 'list':
      return { response: await (await connect()).request('GET', '/admin/keys'), format: keyListText };
    case 'update': {
      const path = pathOf(id);
      const body = changesIn(values);
      return { response: await (await connect()).request('PATCH', path, body), format: changedKeyText('Changed') };
    }
    case 'disable': {
      const path = pathOf(id);
      if (values.reason === undefined) throw new UsageError('Set the reason for disabling the key with --reason.');
      const body = { disabled: true, reason: values.reason };
      return { response: await (await connect()).request('PATCH', path, body), format: changedKeyText('Disabled') };
    }
    case 'enable': {
      const path = pathOf(id);
      const body = { disabled: false, ...(values.reason === undefined ? {} : { reason: values.reason }) };
      return { response: await (await connect()).request('PATCH', path, body), format: changedKeyText('Enabled') };
    }
    case 'revoke': {
      const path = pathOf(id);
      return { response: await (await connect()).request('DELETE', path), format: changedKeyText('Revoked') };
    }
    case 'rotate': {
      const path = `${pathOf(id)}/rotate`;
      const body = { graceSeconds: parseWholeNumber('grace', values.grace ?? '0', 0) };
      return { response: await (await connect()).request('POST', path, body), format: issuedKeyText };
    }
    default:
      throw new UsageError(`Unknown command: keys ${command}.`);
  }
}

function pathOf(id: string | undefined): string {
  if (id === undefined) throw new UsageError('Pass the ID of the key, as shown by "millrace keys list".');
  return `/admin/keys/${encodeURIComponent(id)}`;
}

/** Returns the body of a change. @throws UsageError if it would change nothing. */
function changesIn(values: KeysInvocation['values']): object {
  const { plan, name, expires, 'spend-warning': warning, reason } = values;
  const changes = {
    ...(plan === undefined ? {} : { plan: plan.toUpperCase() }),
    ...(name === undefined ? {} : { name }),
    ...(expires === undefined ? {} : { expiresAt: expires === 'never' ? null : timeOf(expires) }),
    ...(warning === undefined
      ? {}
      : { spendWarning: warning === 'none' ? null : parseWholeNumber('spend-warning', warning, 1) }),
  };
  if (Object.keys(changes).length > 0) return { ...changes, ...(reason === undefined ? {} : { reason }) };
  throw new UsageError('Set what to change with --plan, --name, --expires or --spend-warning.');
}
