import type { Client } from '#client/client.ts';
import type { FileHead } from '#client/renders/download.ts';
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
 */
export async function* downloadChunks(
  client: Client,
  file: LocatedFile,
  { signal, rate, retries, from, tag, modified }: ChunkOptions,
  onHead: (head: FileHead) => Promise<void>,
): AsyncGenerator<Uint8Array, void, void> {
  let head: FileHead | undefined;
  // A response that ends before its first byte may have been of another version than the one after it.
  const keepLastHead = (next: FileHead) => {
    head = next;
  };
  const options = { signal, from, tag, modified, reconnects: retries, onHead: keepLastHead };
  let headReported = false;
  for await (const chunk of client.renders.download(file, options)) {
    if (!headReported && head !== undefined) await onHead(head);
    headReported = true;
    yield chunk;
    await rate?.spend(chunk.length, signal);
    signal.throwIfAborted();
  }
}
