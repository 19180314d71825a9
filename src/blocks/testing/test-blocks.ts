import { noSubjectReader, type SubjectReader } from '../../contract/subjects.ts';
import type { Block, BlockTarget } from '../block.ts';
import { type BlockIndex, createBlockIndex } from '../block-index.ts';

/** Returns a block of something, with a reason. */
export function blockOf(target: BlockTarget, more: Partial<Block> = {}): Block {
  const now = new Date();
  return {
    id: crypto.randomUUID(),
    ...target,
    ...{ reason: 'Court order 7', createdBy: 'test', createdAt: now, updatedAt: now, expiresAt: null },
    ...more,
  };
}

/** Returns an index that blocks one target. */
export function blocking(
  kind: BlockTarget['kind'],
  platform: string,
  value: string,
  reader: SubjectReader = noSubjectReader,
): BlockIndex {
  return createBlockIndex([blockOf({ kind, platform, value })], reader);
}
