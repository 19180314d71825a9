import { saveLink } from '../common/save-link.ts';
import type { QueueFile } from './queue-item.ts';
import { saveArchive } from './zip-archive.ts';

/** The progress of an archive: the index of the current file, and their number. */
export interface Saving {
  readonly index: number;
  readonly total: number;
}

/** Maximum bytes of an archive, which the browser keeps until it is complete. */
const MAX_ARCHIVE = 300_000_000;
/** Browsers ignore downloads that start in quick succession. */
const PAUSE_MS = 400;

/** Resolves when the next download may start. */
let nextSave: Promise<void> = Promise.resolve();

/** Makes the browser save files, one after the other. The service names them. Resolves when all have begun. */
export async function saveFiles(files: readonly QueueFile[]): Promise<void> {
  const saves = files.map(({ url }) => {
    const save = nextSave.then(() => saveLink(url));
    nextSave = save.then(() => new Promise((resolve) => setTimeout(resolve, PAUSE_MS)));
    return save;
  });
  await Promise.all(saves);
}

/** Whether files fit into an archive. Files of unknown size count as small: they are images. */
export function fitsArchive(files: readonly QueueFile[]): boolean {
  return files.length > 1 && files.reduce((sum, { size = 0 }) => sum + size, 0) <= MAX_ARCHIVE;
}

/** Saves files as one archive. If it cannot be made, saves each file by itself. */
export async function saveAsArchive(
  files: readonly QueueFile[],
  name: string,
  onProgress: (progress: Saving) => void,
): Promise<void> {
  const digits = String(files.length).length;
  const entries = files.map((file, index) => ({
    name: `${String(index + 1).padStart(digits, '0')} ${nameOf(file)}`,
    open: async () => file,
  }));
  try {
    await saveArchive(entries, name || 'Millrace', onProgress, MAX_ARCHIVE);
  } catch {
    // One of the files cannot be read, or they are larger than they were said to be: the browser shows which fails.
    await saveFiles(files);
  }
}

/** Returns the name at the end of a link. */
function nameOf({ url }: QueueFile): string {
  const name = new URL(url, location.href).pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(name);
  } catch {
    // Not valid UTF-8.
    return name;
  }
}
