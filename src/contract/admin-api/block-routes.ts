import Type from 'typebox';
import { refusal } from '../render-api/route.ts';
import { type AdminRoute, adminBase, jsonBody, refusedBody, unauthorized } from './admin-route.ts';
import { linePattern, optionalTime, readFutureTime, reasonSchema, time, timeText } from './members.ts';

const blocksPath = `${adminBase}/blocks`;

const reason = Type.String({ ...reasonSchema, description: 'Why: one line, which callers read in their errors.' });
const value = Type.String({
  minLength: 1,
  maxLength: 2_000,
  pattern: linePattern,
  description: 'ID of the item; ID or @handle of the channel; or a link that contains it. A short link does not.',
});
const platform = Type.String({ pattern: '^p[0-9]{1,3}$', description: 'ID of the platform.', examples: ['p1'] });
const expiresAt = Type.Optional(
  Type.String({ ...timeText, format: 'date-time', description: 'When the block ends. Default: never.' }),
);
const closed = { additionalProperties: false } as const;

/** A block, as administrators see it. */
export const blockSchema = Type.Object({
  id: Type.String({ format: 'uuid' }),
  kind: Type.Enum(['item', 'channel', 'host']),
  platform: Type.Union([Type.String(), Type.Null()], { description: 'ID of the platform; null for a host.' }),
  value: Type.String({ description: 'ID of the item; ID or @handle of the channel; or the host name.' }),
  reason: Type.String({ description: 'Why. Callers read it in their errors.' }),
  createdBy: Type.String({ description: 'Who created it.' }),
  createdAt: time('When it was created.'),
  updatedAt: time('When it was last changed.'),
  expiresAt: optionalTime('When it ends.'),
});

/** Lists the blocks. */
export const listBlocks = {
  method: 'GET',
  path: blocksPath,
  summary: 'List the blocks',
  description: 'Returns the items, channels and hosts that the service refuses, newest first.',
  responses: {
    200: { description: 'The blocks.', schema: Type.Object({ blocks: Type.Array(blockSchema) }) },
    ...unauthorized,
  },
} as const satisfies AdminRoute;

const newBlock = jsonBody(
  Type.Union([
    Type.Object({ kind: Type.Enum(['item', 'channel']), platform, value, reason, expiresAt }, closed),
    Type.Object(
      {
        kind: Type.Enum(['host']),
        value: Type.String({
          maxLength: 253,
          pattern: '^(?:[A-Za-z0-9_]|[A-Za-z0-9_][A-Za-z0-9_-]*[A-Za-z0-9_])(?:\\.[A-Za-z0-9_-]+)*$',
          description:
            'Host name or IPv4 address, without scheme and port. It includes all subdomains. Names in other scripts are ' +
            'written in ASCII, such as xn--bcher-kva.example.',
        }),
        reason,
        expiresAt,
      },
      closed,
    ),
  ]),
  { kind: 'item', platform: 'p1', value: 'dQw4w9WgXcQ', reason: 'Removed at the request of the rights holder.' },
);

/** Adds a block. */
export const addBlock = {
  method: 'POST',
  path: blocksPath,
  summary: 'Block an item, a channel or a host',
  description:
    'Refuses requests, jobs and files of an item or a channel, or all connections to a host and its subdomains, on all ' +
    'nodes. A second request for the same target replaces its reason and expiry.',
  body: {
    ...newBlock,
    parse(body: unknown) {
      const { expiresAt: end, ...block } = newBlock.parse(body);
      return { ...block, expiresAt: end === undefined ? null : readFutureTime(end, 'expiresAt') };
    },
  },
  responses: {
    201: { description: 'The block.', schema: blockSchema },
    ...refusedBody,
    ...unauthorized,
    409: refusal('The block list is full.', 'conflict'),
  },
} as const satisfies AdminRoute;

/** Deletes a block. */
export const removeBlock = {
  method: 'DELETE',
  path: `${blocksPath}/{id}`,
  summary: 'Delete a block',
  description: 'Ends a block on all nodes.',
  parameters: { schema: Type.Object({ id: Type.String({ description: 'ID of the block.' }) }) },
  responses: {
    200: { description: 'The deleted block.', schema: blockSchema },
    ...refusedBody,
    ...unauthorized,
    404: refusal('No block has this ID.', 'not_found'),
  },
} as const satisfies AdminRoute;
