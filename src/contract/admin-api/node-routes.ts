import Type from 'typebox';
import { refusal } from '../render-api/route.ts';
import { type AdminRoute, adminBase, jsonBody, refusedBody, unauthorized } from './admin-route.ts';
import { optionalText, optionalTime, reasonSchema, time } from './members.ts';

const nodeStates = ['active', 'draining', 'lost'] as const;

/**
 * Whether a node takes new work: it does (`active`), an administrator drains it, or its heartbeats stopped without a
 * clean shutdown (`lost`).
 */
export type NodeState = (typeof nodeStates)[number];

/** A node, as administrators see it. */
export const nodeSchema = Type.Object({
  id: Type.String({ format: 'uuid', description: 'ID of the process; a new one at each start.' }),
  state: Type.Enum([...nodeStates], {
    description: 'draining: it takes no new work. lost: no heartbeat for 30 s. Lost nodes are listed for an hour.',
  }),
  host: Type.String({ description: 'Name of the machine or the container.' }),
  roles: Type.Array(Type.String()),
  version: Type.String({ description: 'Version of the software.' }),
  worker: optionalText('ID of its worker, which outlives restarts. null without the role worker.'),
  jobs: Type.Integer({ minimum: 0, description: 'Number of jobs that its worker runs.' }),
  startedAt: time('When the process was started.'),
  beatAt: time('When it sent its last heartbeat.'),
  drainingAt: optionalTime('Since when it drains.'),
  drainReason: optionalText('Why it drains.'),
});

const parameters = { schema: Type.Object({ id: Type.String({ description: 'ID of the node.' }) }) };
const unknownNode = { 404: refusal('No node has this ID.', 'not_found') };

/** Lists the nodes. */
export const listNodes = {
  method: 'GET',
  path: `${adminBase}/nodes`,
  summary: 'List the nodes',
  description: 'Returns the running nodes, and those that died within the last hour, newest first.',
  responses: {
    200: { description: 'The nodes.', schema: Type.Object({ nodes: Type.Array(nodeSchema) }) },
    ...unauthorized,
  },
} as const satisfies AdminRoute;

/** Drains a node. */
export const drainNode = {
  method: 'POST',
  path: `${adminBase}/nodes/{id}/drain`,
  summary: 'Drain a node',
  description:
    'Within a second, the node claims no further jobs and its `/health/ready` responds with 503, so that load balancers ' +
    'stop sending requests. Running jobs and requests continue, and the process keeps running. Any node can drain any other.',
  parameters,
  body: jsonBody(Type.Object({ reason: reasonSchema }, { additionalProperties: false }), {
    reason: 'Upgrade to 0.3.0',
  }),
  responses: {
    200: { description: 'The node, which drains.', schema: nodeSchema },
    ...refusedBody,
    ...unauthorized,
    ...unknownNode,
  },
} as const satisfies AdminRoute;

/** Ends the drain of a node. */
export const resumeNode = {
  method: 'POST',
  path: `${adminBase}/nodes/{id}/resume`,
  summary: 'Resume a node',
  description: 'Ends the drain of a node. A restart of its process ends the drain as well.',
  parameters,
  responses: {
    200: { description: 'The node, which takes new work.', schema: nodeSchema },
    ...refusedBody,
    ...unauthorized,
    ...unknownNode,
  },
} as const satisfies AdminRoute;
