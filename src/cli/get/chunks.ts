import type { Client } from '#client/client.ts';
import type { FileHead } from '#client/renders/download.ts';
import type { LocatedFile } from './locate.ts';

/** Downloads a file chunk by chunk. `onHead` gets the headers, and settles before the first chunk is yielded. */
export async function* chunksOf(
  client: Client,
  file: LocatedFile,
  options: { readonly signal: AbortSignal; readonly from?: number; readonly tag?: string | undefined },
  onHead: (head: FileHead) => Promise<void>,
): AsyncGenerator<Uint8Array, void, void> {
  let head: FileHead | undefined;
  const keepFirstHead = (next: FileHead) => {
    head ??= next;
  };
  let reported = false;
  for await (const chunk of client.renders.download(file, { ...options, onHead: keepFirstHead })) {
    if (!reported && head !== undefined) await onHead(head);
    reported = true;
    yield chunk;
    options.signal.throwIfAborted();
  }
}
