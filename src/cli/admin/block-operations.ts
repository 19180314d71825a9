import type { Static } from 'typebox';
import type { blockSchema } from '../../contract/admin-api/block-routes.ts';
import { UsageError } from '../errors/command-errors.ts';
import { formatTable } from '../terminal/table.ts';
import { type AdminArguments, type AdminOperation, onlyId, requiredOption, timeCell, timeOf } from './operation.ts';

type Block = Static<typeof blockSchema>;

/** The operations of `millrace admin blocks`. */
export const blockOperations: Readonly<Record<string, (given: AdminArguments) => AdminOperation>> = {
  list: () => ({ method: 'GET', path: '/admin/blocks', format: listText }),
  add: (given) => ({
    method: 'POST',
    path: '/admin/blocks',
    body: newBlock(given),
    format: (response) => `Blocked ${nameOf(response as Block)}. The ID of the block is ${(response as Block).id}.\n`,
  }),
  remove: (given) => ({
    method: 'DELETE',
    path: `/admin/blocks/${onlyId(given, 'block')}`,
    format: (response) => `Unblocked ${nameOf(response as Block)}.\n`,
  }),
};

function newBlock(given: AdminArguments): object {
  const {
    words: [kind, value, ...more],
    values: { platform, expires },
  } = given;
  if (kind === undefined || value === undefined || more.length > 0) {
    throw new UsageError('Pass the kind (item, channel or host) and its ID, its handle or the host name.');
  }
  if (kind !== 'host' && platform === undefined) throw new UsageError('Set the ID of the platform with --platform.');
  return {
    kind,
    value,
    reason: requiredOption(given, 'reason', 'the reason, which callers can read,'),
    ...(platform === undefined ? {} : { platform }),
    ...(typeof expires === 'string' ? { expiresAt: timeOf(expires) } : {}),
  };
}

function nameOf({ kind, platform, value }: Block): string {
  return kind === 'host' ? `the host ${value}` : `the ${kind} ${value} of ${platform}`;
}

function listText(response: unknown): string {
  const { blocks } = response as { blocks: readonly Block[] };
  const rows = blocks.map(({ id, kind, platform, value, createdBy, createdAt, expiresAt, reason }) => [
    id,
    kind,
    platform ?? '',
    value,
    createdBy,
    timeCell(createdAt),
    timeCell(expiresAt),
    reason,
  ]);
  return formatTable([['ID', 'KIND', 'PLATFORM', 'VALUE', 'BY', 'CREATED', 'EXPIRES', 'REASON'], ...rows]);
}
