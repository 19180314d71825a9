import { blockKinds } from '../../blocks/block.ts';
import { jobStates } from '../../contract/job-status.ts';
import { auditOperations } from '../admin/audit-operations.ts';
import { blockOperations } from '../admin/block-operations.ts';
import { jobOperations } from '../admin/job-operations.ts';
import { nodeOperations } from '../admin/node-operations.ts';
import { defineCommand, type Options } from '../command-line/command.ts';
import { UsageError } from '../errors/command-errors.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { adminAccess, openAdminClient } from '../service/admin-client.ts';
import { readSettings, settingsOption } from '../service/command-settings.ts';
import { sanitiseJson } from '../terminal/sanitise.ts';

/** The operations of each subject by their action. Without one, the audit log is listed. */
const subjects = { nodes: nodeOperations, jobs: jobOperations, blocks: blockOperations, audit: auditOperations };

const options = {
  reason: { type: 'string', value: '<text>', description: 'Reason of a drain, a cancellation or a block.' },
  platform: { type: 'string', value: '<id>', description: 'Platform of a blocked item or channel, such as p1.' },
  expires: {
    type: 'string',
    value: '<time>',
    description: 'When a block ends: a date (UTC) or a time such as 2027-01-31T12:00:00Z. Default: never.',
  },
  state: { type: 'string', value: '<states>', suggestions: jobStates, description: 'List only jobs in these states.' },
  owner: { type: 'string', value: '<account>', description: 'List only the jobs of this account.' },
  'request-id': { type: 'string', value: '<id>', description: 'List only jobs that this request started.' },
  actor: { type: 'string', value: '<name>', description: 'List only changes of this actor.' },
  action: { type: 'string', value: '<action>', description: 'List only this action, such as key.update.' },
  target: {
    type: 'string',
    value: '<id>',
    description: 'List only changes of the object with this ID, such as a key.',
  },
  anchor: {
    type: 'string',
    value: '<hash>',
    description: 'Hash that an earlier verification of the audit log printed.',
  },
  since: {
    type: 'string',
    value: '<time>',
    description: 'Time at which the chain of the audit log began, as its verification prints it.',
  },
  limit: {
    type: 'string',
    value: '<number>',
    description: 'Maximum length of a list; default 20 jobs or 100 changes.',
  },
  cursor: { type: 'string', value: '<cursor>', description: 'Continue a list; each list prints its cursor.' },
  ...settingsOption,
  json: { type: 'boolean', description: 'Print the unchanged response of the admin API.' },
} as const satisfies Options;

/** `millrace admin`. */
export const adminCommand = defineCommand({
  name: 'admin',
  summary: 'List and drain nodes, list and cancel jobs, block content, and list and verify changes.',
  usage: [
    'nodes list',
    'nodes drain <id> --reason <text>',
    'nodes resume <id>',
    'jobs list [--state <states>] [--owner <account>] [--request-id <id>]',
    'jobs show <id>',
    'jobs cancel <id> --reason <text>',
    'blocks list',
    `blocks add <${blockKinds.join('|')}> <value> [--platform <id>] --reason <text> [--expires <time>]`,
    'blocks remove <id>',
    'audit verify [--anchor <hash>]',
    'audit accept --since <time>',
    'audit [--actor <name>] [--action <action>] [--target <id>]',
  ],
  arity: [1, 4],
  firstArguments: Object.keys(subjects),
  options,
  details: `${adminAccess}
"audit verify" exits with ${exitCodes.unverified.code} if the audit log was changed in the database.`,
  async run({ values, positionals: [subject = '', action = '', ...words], terminal, environment }) {
    const subjectEntry = Object.entries(subjects).find(([name]) => name === subject);
    const create = Object.entries(subjectEntry?.[1] ?? {}).find(([name]) => name === action)?.[1];
    if (create === undefined) throw new UsageError(`Unknown command: ${['admin', subject, action].join(' ').trim()}.`);
    const { method, path, body, format, exitCode } = create({ words, values });
    const client = openAdminClient(await readSettings({ values, terminal, environment }));
    const response = await client.request(method, path, body);
    await terminal.print(values.json === true ? `${sanitiseJson(response, 2)}\n` : format(response));
    return exitCode?.(response) ?? exitCodes.success.code;
  },
});
