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
 * Limits of an archive without the extension ZIP64, which some programs do not read (APPNOTE.TXT 6.3.10, §4.4.1.4).
 * Higher numbers than these mean "see the extension".
 */
const MAX_ENTRIES = 0xfffe;
const MAX_BYTES = 0xffff_fffe;
/** Maximum bytes of a name in UTF-8. */
const MAX_NAME_BYTES = 180;

/**
 * Downloads files one after another, and saves them as one archive. Downloads that break off or stall are retried.
 *
 * @param title Name of the archive, without its extension.
 * @param maxBytes Maximum size of the archive.
 * @throws The same errors as {@link createArchive}.
 */
export async function saveArchive(
  entries: readonly ArchiveEntry[],
  title: string,
  onProgress: (progress: ArchiveProgress) => void,
  maxBytes?: number,
): Promise<void> {
  const archive = await createArchive(entries, onProgress, maxBytes);
  saveBlob(archive, await safeFileName(title, '.zip'));
}

/**
 * Downloads files one after another into an archive. Their names become safe for every file system. Names that begin
 * with different numbers remain different.
 *
 * @param maxBytes Maximum size of the archive.
 * @throws RangeError for too many files; ArchiveError if a file could not be downloaded, or makes the archive too large.
 */
export async function createArchive(
  entries: readonly ArchiveEntry[],
  onProgress: (progress: ArchiveProgress) => void,
  maxBytes = MAX_BYTES,
): Promise<Blob> {
  if (entries.length > MAX_ENTRIES) throw new RangeError(`An archive holds at most ${MAX_ENTRIES} files.`);
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
      const [suffix = ''] = /\.[a-z0-9]{1,8}$/i.exec(name) ?? [];
      yield { name: await safeFileName(name, suffix.toLowerCase()), input: client.renders.download(await open()) };
    }
  }
  // The whole archive passes through the counter, in chunks.
  const { body } = downloadZip(files());
  if (body === null) throw new Error('the archive has no body');
  const headers = { 'content-type': 'application/zip' };
  return await new Response(body.pipeThrough(count), { headers }).blob().catch((cause: unknown) => {
    throw new ArchiveError(current, cause);
  });
}

/** Returns the name of a file in a folder, and nowhere else. */
async function safeFileName(name: string, suffix: string): Promise<string> {
  const { safeName } = await import('../../../files/safe-name.ts');
  return `${safeName(name, suffix, MAX_NAME_BYTES) || 'Millrace'}${suffix}`;
}
