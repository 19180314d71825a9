import type { Client } from '#client/client.ts';
import type { FileHead } from '#client/renders/download.ts';
import { validUrl } from '../../contract/parse-url.ts';
import { sizeText } from '../../contract/size-text.ts';
import { CommandError } from '../errors/command-errors.ts';
import type { DownloadLimits } from './download-limits.ts';
import type { LocatedFile } from './locate-file.ts';

/** Options of a download. */
interface ChunkOptions extends DownloadLimits {
  readonly signal: AbortSignal;
  /** Bytes that already exist. */
  readonly from?: number;
  /** ETag of the file that those bytes come from. */
  readonly tag?: string | undefined;
  /** Last-Modified of that file. */
  readonly modified?: string | undefined;
}

/**
 * Downloads a file chunk by chunk. `onHead` is called with the headers, and is awaited before the first chunk is
 * yielded.
 *
 * @throws CommandError if a small file exceeds its limits; errors of the client's `download`.
 */
export async function* downloadChunks(
  client: Client,
  file: LocatedFile,
  { signal, rate, retries, small, from, tag, modified }: ChunkOptions,
  onHead: (head: FileHead) => Promise<void>,
): AsyncGenerator<Uint8Array, void, void> {
  let head: FileHead | undefined;
  // A response that ends before its first byte may have been of another version than the one after it.
  const keepLastHead = (next: FileHead) => {
    head = next;
  };
  const timeLimit = small === undefined ? undefined : AbortSignal.timeout(small.timeout);
  const bothSignals = timeLimit === undefined ? signal : AbortSignal.any([signal, timeLimit]);
  const options = { signal: bothSignals, from, tag, modified, reconnects: retries, onHead: keepLastHead };
  let headReported = false;
  let bytes = 0;
  try {
    for await (const chunk of client.renders.download(file, options)) {
      bytes += chunk.length;
      if (small !== undefined && bytes > small.maxBytes) {
        throw new CommandError(`${addressOf(file)} sent more than the allowed ${sizeText(small.maxBytes)}.`);
      }
      if (!headReported && head !== undefined) await onHead(head);
      headReported = true;
      yield chunk;
      await rate?.spend(chunk.length, signal);
      signal.throwIfAborted();
    }
  } catch (error) {
    if (small === undefined || error !== timeLimit?.reason) throw error;
    throw new CommandError(`${addressOf(file)} did not send the whole file within ${small.timeout / 1_000} s.`);
  }
}

/** Returns the URL of a file without its query, which may be a credential. */
export function addressOf({ url }: LocatedFile): string {
  const { origin, pathname } = validUrl(url);
  return origin + pathname;
}
