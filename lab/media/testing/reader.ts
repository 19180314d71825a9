import { callsTo } from '../../../test/support/child-calls.ts';
import type { ReaderCalls, StreamReport } from './read.ts';

const call = callsTo<ReaderCalls>(new URL('read.ts', import.meta.url));

/**
 * Decodes a file or an address in a separate process.
 *
 * @throws Error when the engine cannot open it, or reports a problem with it.
 */
export function read(address: string): Promise<readonly StreamReport[]> {
  return call('read', address);
}
