import type { Client } from '#client/client.ts';
import type { FileHead } from '#client/renders/download.ts';
import type { LocatedFile } from './locate-file.ts';

/**
 * Downloads a file chunk by chunk. `onHead` is called with the headers, and is awaited before the first chunk is
 * yielded.
 */
export async function* downloadChunks(
  client: Client,
  file: LocatedFile,
  options: { readonly signal: AbortSignal; readonly from?: number; readonly tag?: string | undefined },
  onHead: (head: FileHead) => Promise<void>,
): AsyncGenerator<Uint8Array, void, void> {
  let head: FileHead | undefined;
  const keepFirstHead = (next: FileHead) => {
    head ??= next;
  };
  let headReported = false;
  for await (const chunk of client.renders.download(file, { ...options, onHead: keepFirstHead })) {
    if (!headReported && head !== undefined) await onHead(head);
    headReported = true;
    yield chunk;
    options.signal.throwIfAborted();
  }
}
