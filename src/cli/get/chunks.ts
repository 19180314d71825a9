import type { Client } from '#client/client.ts';
import type { FileHead } from '#client/renders/download.ts';
import type { Located } from './locate.ts';

/** The file piece by piece; `onHead` is through with what the answer tells before the first piece comes. */
export async function* chunksOf(
  client: Client,
  file: Located,
  options: { readonly signal: AbortSignal; readonly from?: number; readonly tag?: string | undefined },
  onHead: (head: FileHead) => Promise<void>,
): AsyncGenerator<Uint8Array, void, void> {
  let head: FileHead | undefined;
  const onHeadOnce = (told: FileHead) => {
    head ??= told;
  };
  let told = false;
  for await (const chunk of client.renders.download(file, { ...options, onHead: onHeadOnce })) {
    if (!told && head !== undefined) await onHead(head);
    told = true;
    yield chunk;
    options.signal.throwIfAborted();
  }
}
