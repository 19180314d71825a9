import { client } from '../common/client.ts';
import { saveBlob } from '../common/save-blob.ts';

/** A file of an archive. */
export interface ArchiveEntry {
  readonly name: string;
  /** Returns a link to the file, which has not expired. */
  open(): Promise<{ readonly url: string; readonly size?: number }>;
}

/** The progress of an archive. */
interface ArchiveProgress {
  readonly index: number;
  readonly total: number;
}

/** An entry of an archive could not be downloaded. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
  /** Index of the entry. */
  readonly index: number;

  constructor(index: number, cause: unknown) {
    super('A file of the archive could not be downloaded.', { cause });
    this.index = index;
  }
}

/**
 * Downloads files one after another, and saves them as one archive. Downloads that break off or stall are retried.
 *
 * @param title Name of the archive, without its extension.
 * @param maxBytes Maximum size of the archive.
 * @throws ArchiveError if a file could not be downloaded, or makes the archive too large.
 */
export async function saveArchive(
  entries: readonly ArchiveEntry[],
  title: string,
  onProgress: (progress: ArchiveProgress) => void,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<void> {
  // Loaded on demand: few visitors need it.
  const { downloadZip } = await import('client-zip');
  let current = 0;
  let bytes = 0;
  const count = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) controller.error(new RangeError(`The archive exceeds ${maxBytes} bytes.`));
      else controller.enqueue(chunk);
    },
  });
  async function* files() {
    for (const [index, { name, open }] of entries.entries()) {
      current = index;
      onProgress({ index, total: entries.length });
      yield { name, input: client.renders.download(await open()) };
    }
  }
  // The whole archive passes through the counter, in chunks.
  const { body } = downloadZip(files());
  if (body === null) throw new Error('the archive has no body');
  const headers = { 'content-type': 'application/zip' };
  const archive = await new Response(body.pipeThrough(count), { headers }).blob().catch((cause: unknown) => {
    throw new ArchiveError(current, cause);
  });
  saveBlob(archive, `${title}.zip`);
}
