import type { FastifyInstance } from 'fastify';
import { type AuditLog, changedMembers } from '../audit/audit-log.ts';
import type { Block } from '../blocks/block.ts';
import type { StoredBlocks } from '../blocks/stored-blocks.ts';
import { adminRoutes } from '../contract/admin-api/routes.ts';
import { MillraceError } from '../contract/errors.ts';
import { invalidBody } from '../contract/schema-faults.ts';
import type { SubjectKind, SubjectReader } from '../contract/subjects.ts';
import { addRoute } from '../http/add-route.ts';
import { actorOf } from './actor.ts';

/** Dependencies of the routes of blocks. */
interface BlockServices {
  readonly blocks: StoredBlocks;
  readonly auditLog: AuditLog;
  /** Reads the IDs, handles and links that name items and channels. */
  readonly subjects: SubjectReader;
}

/** Adds the routes that list, add and delete blocks. */
export function addBlockRoutes(app: FastifyInstance, { blocks, auditLog, subjects }: BlockServices): void {
  addRoute(app, adminRoutes.listBlocks, async () => ({ blocks: (await blocks.list()).map(describe) }));

  addRoute(app, adminRoutes.addBlock, async (request, reply) => {
    const [actor, body] = [actorOf(request), request.body];
    const { kind, reason } = body;
    // Values that block the same are stored the same, so that a second block of a target replaces the first.
    const target =
      kind === 'host'
        ? { kind, platform: '', value: body.value.toLowerCase() }
        : { kind, platform: body.platform, value: nameOf(body, subjects) };
    const newBlock = { ...target, reason, createdBy: actor.name, expiresAt: body.expiresAt };
    const block = await blocks.add(newBlock, async (sql, before, after) => {
      const changes = changedMembers(auditedMembers(before), auditedMembers(after));
      await auditLog.by(actor)(sql, { action: 'block.add', target: after?.id ?? '', changes, reason });
    });
    reply.code(201);
    return describe(block);
  });

  addRoute(app, adminRoutes.removeBlock, async (request) => {
    const [actor, { id }] = [actorOf(request), request.params];
    const block = await blocks.remove(id, async (sql, before, after) => {
      const changes = changedMembers(auditedMembers(before), auditedMembers(after));
      await auditLog.by(actor)(sql, { action: 'block.remove', target: id, changes });
    });
    if (block !== undefined) return describe(block);
    throw new MillraceError('not_found', 'No block has this ID. GET /admin/blocks lists the blocks.');
  });
}

/** @throws MillraceError `invalid_body` for a link that does not contain the ID or the handle. */
function nameOf(
  { kind, platform, value }: { readonly kind: SubjectKind; readonly platform: string; readonly value: string },
  subjects: SubjectReader,
): string {
  const name = subjects.find(platform, kind, value.trim());
  if (name !== undefined) return name;
  const expected = kind === 'item' ? 'the ID of an item' : 'the ID or the @handle of a channel';
  const message = `must be ${expected} of ${platform}, or a link that contains it. Open a short link, and send the address that it leads to`;
  throw invalidBody('body', [{ path: 'value', message }]);
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
