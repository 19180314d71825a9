import type { Static } from 'typebox';
import type { adminJobSchema } from '../../contract/admin-api/job-routes.ts';
import { formatTable } from '../terminal/table.ts';
import { type AdminArguments, type AdminOperation, onlyId, queryOf, requiredOption, timeCell } from './operation.ts';

type AdminJob = Static<typeof adminJobSchema>;

/** Options that filter a list of jobs, and the parameters of the admin API for them. */
const filters = {
  state: 'state',
  owner: 'owner',
  'request-id': 'requestId',
  limit: 'limit',
  cursor: 'cursor',
} as const;

/** The operations of `millrace admin jobs`. */
export const jobOperations: Readonly<Record<string, (given: AdminArguments) => AdminOperation>> = {
  list: (given) => ({ method: 'GET', path: `/admin/jobs?${queryOf(given, filters)}`, format: listText }),
  show: (given) => ({
    method: 'GET',
    path: `/admin/jobs/${onlyId(given, 'job')}`,
    format: (response) =>
      formatTable(Object.entries(response as AdminJob).map(([name, value]) => [name, `${value ?? '-'}`])),
  }),
  cancel: (given) => ({
    method: 'POST',
    path: `/admin/jobs/${onlyId(given, 'job')}/cancel`,
    body: { reason: requiredOption(given, 'reason', 'the reason, which the owner of the job can read,') },
    format: cancelledText,
  }),
};

function cancelledText(response: unknown): string {
  const { status, job } = response as { status: string; job: AdminJob };
  if (status === 'cancelled') return `Cancelled the job ${job.id}.\n`;
  return `The job ${job.id} had already finished (${job.state}) and is unchanged.\n`;
}

function listText(response: unknown): string {
  const { jobs, nextCursor } = response as { jobs: readonly AdminJob[]; nextCursor: string | null };
  const rows = jobs.map(({ id, state, progress, owner, errorCode, node, createdAt }) => [
    id,
    state,
    `${progress} %`,
    owner,
    errorCode ?? '',
    node ?? '',
    timeCell(createdAt),
  ]);
  const table = formatTable([['ID', 'STATE', 'PROGRESS', 'OWNER', 'ERROR', 'NODE', 'STARTED'], ...rows]);
  return nextCursor === null ? table : `${table}\nMore jobs follow: repeat the command with --cursor ${nextCursor}\n`;
}
