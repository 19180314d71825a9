import type { FastifyInstance } from 'fastify';
import { type AuditLog, changedMembers } from '../audit/audit-log.ts';
import { adminRoutes } from '../contract/admin-api/routes.ts';
import { MillraceError } from '../contract/errors.ts';
import { addRoute } from '../http/add-route.ts';
import type { NodeInfo, Nodes } from '../nodes/nodes.ts';
import { actorOf } from './actor.ts';

interface NodeServices {
  readonly nodes: Nodes;
  readonly auditLog: AuditLog;
}

/** Adds the routes that list, drain and resume nodes. */
export function addNodeRoutes(app: FastifyInstance, { nodes, auditLog }: NodeServices): void {
  addRoute(app, adminRoutes.listNodes, async () => ({ nodes: (await nodes.list()).map(describe) }));

  addRoute(app, adminRoutes.drainNode, async (request) => {
    const [actor, { id }, { reason }] = [actorOf(request), request.params, request.body];
    const node = await nodes.drain(id, reason, async (sql, { before, after }) => {
      const changes = changedMembers({ drainReason: before }, { drainReason: after });
      await auditLog.by(actor)(sql, { action: 'node.drain', target: id, changes, reason });
    });
    return describe(orNotFound(node));
  });

  addRoute(app, adminRoutes.resumeNode, async (request) => {
    const [actor, { id }] = [actorOf(request), request.params];
    const node = await nodes.resume(id, async (sql, { before, after }) => {
      const changes = changedMembers({ drainReason: before }, { drainReason: after });
      await auditLog.by(actor)(sql, { action: 'node.resume', target: id, changes });
    });
    return describe(orNotFound(node));
  });
}

function describe({ startedAt, beatAt, drainingAt, roles, ...facts }: NodeInfo) {
  return {
    ...facts,
    roles: [...roles],
    startedAt: startedAt.toISOString(),
    beatAt: beatAt.toISOString(),
    drainingAt: drainingAt?.toISOString() ?? null,
  };
}

function orNotFound(node: NodeInfo | undefined): NodeInfo {
  if (node !== undefined) return node;
  throw new MillraceError('not_found', 'No node has this ID. GET /admin/nodes lists the nodes.');
}
