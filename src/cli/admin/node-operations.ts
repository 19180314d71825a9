import type { Static } from 'typebox';
import type { nodeSchema } from '../../contract/admin-api/node-routes.ts';
import { formatTable } from '../terminal/table.ts';
import { type AdminArguments, type AdminOperation, onlyId, requiredOption, timeCell } from './operation.ts';

type Node = Static<typeof nodeSchema>;

/** The operations of `millrace admin nodes`. */
export const nodeOperations: Readonly<Record<string, (given: AdminArguments) => AdminOperation>> = {
  list: () => ({ method: 'GET', path: '/admin/nodes', format: listText }),
  drain: (given) => ({
    method: 'POST',
    path: `/admin/nodes/${onlyId(given, 'node')}/drain`,
    body: { reason: requiredOption(given, 'reason', 'the reason') },
    format: (response) => `The node ${(response as Node).id} drains: it takes no new work.\n`,
  }),
  resume: (given) => ({
    method: 'POST',
    path: `/admin/nodes/${onlyId(given, 'node')}/resume`,
    format: (response) => `The node ${(response as Node).id} takes new work.\n`,
  }),
};

function listText(response: unknown): string {
  const { nodes } = response as { nodes: readonly Node[] };
  const rows = nodes.map(({ id, state, host, roles, version, jobs, startedAt, drainReason }) => [
    id,
    state,
    host,
    roles.join(','),
    version,
    `${jobs}`,
    timeCell(startedAt),
    drainReason ?? '',
  ]);
  return formatTable([['ID', 'STATE', 'HOST', 'ROLES', 'VERSION', 'JOBS', 'STARTED', 'REASON'], ...rows]);
}
