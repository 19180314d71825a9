import type { FastifyInstance } from 'fastify';
import { audit, changedMembers } from '../audit/audit-log.ts';
import type { Block } from '../blocks/block.ts';
import type { StoredBlocks } from '../blocks/stored-blocks.ts';
import { normaliseId } from '../blocks/subjects.ts';
import { adminRoutes } from '../contract/admin-api/routes.ts';
import { MillraceError } from '../contract/errors.ts';
import { addRoute } from '../http/add-route.ts';
import { actorOf } from './actor.ts';

/** Adds the routes that list, add and delete blocks. */
export function addBlockRoutes(app: FastifyInstance, { blocks }: { readonly blocks: StoredBlocks }): void {
  addRoute(app, adminRoutes.listBlocks, async () => ({ blocks: (await blocks.list()).map(describe) }));

  addRoute(app, adminRoutes.addBlock, async (request, reply) => {
    const [actor, body] = [actorOf(request), request.body];
    const { kind, reason } = body;
    // Values that block the same are stored the same, so that a second block of a target replaces the first.
    const target =
      kind === 'host'
        ? { kind, platform: '', value: body.value.toLowerCase() }
        : { kind, platform: body.platform, value: normaliseId(kind, body.value) };
    const newBlock = { ...target, reason, createdBy: actor.name, expiresAt: body.expiresAt };
    const block = await blocks.add(newBlock, async (sql, before, after) => {
      const changes = changedMembers(auditedMembers(before), auditedMembers(after));
      await audit(sql, actor, { action: 'block.add', target: after?.id ?? '', changes, reason });
    });
    reply.code(201);
    return describe(block);
  });

  addRoute(app, adminRoutes.removeBlock, async (request) => {
    const [actor, { id }] = [actorOf(request), request.params];
    const block = await blocks.remove(id, async (sql, before, after) => {
      const changes = changedMembers(auditedMembers(before), auditedMembers(after));
      await audit(sql, actor, { action: 'block.remove', target: id, changes });
    });
    if (block !== undefined) return describe(block);
    throw new MillraceError('not_found', 'No block has this ID. GET /admin/blocks lists the blocks.');
  });
}

function describe({ platform, createdAt, updatedAt, expiresAt, ...facts }: Block) {
  return {
    ...facts,
    platform: platform === '' ? null : platform,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
  };
}

function auditedMembers(block: Block | undefined): Record<string, string | null> {
  if (block === undefined) return {};
  const { kind, platform, value, reason, expiresAt } = describe(block);
  return { kind, platform, value, reason, expiresAt };
}
