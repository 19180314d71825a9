import { callsTo } from '../../../test/support/child-calls.ts';
import type { ReaderCalls, StreamReport } from './read.ts';

const call = callsTo<ReaderCalls>(new URL('read.ts', import.meta.url));

/**
 * Decodes a file or what an address leads to, in a process of its own.
 *
 * @throws Error when the engine cannot open it, or complains about anything in it.
 */
export function read(address: string): Promise<readonly StreamReport[]> {
  return call('read', address);
}
