import { client } from '../common/client.ts';
import { fileName, type PostItem } from './post-items.ts';

/** The progress of an archive. */
interface ArchiveProgress {
  readonly index: number;
  readonly total: number;
}

/**
 * Fetches files one after another, and saves them as one archive. Connections that break off or stall are retried.
 *
 * @throws Error naming the file that could not be fetched.
 */
export async function saveArchive(
  items: readonly PostItem[],
  title: string,
  onProgress: (progress: ArchiveProgress) => void,
): Promise<void> {
  // Loaded on demand: few visitors need it.
  const { downloadZip } = await import('client-zip');
  let position = 0;
  function* files() {
    for (const [index, item] of items.entries()) {
      onProgress({ index, total: items.length });
      if (item.file === undefined) continue;
      position = item.position;
      yield { name: fileName(item), input: client.renders.download(item.file) };
    }
  }
  const archive = await downloadZip(files())
    .blob()
    .catch((cause: unknown) => {
      throw new Error(`Item ${position} could not be fetched. Try again, or leave it out.`, { cause });
    });
  save(archive, `${title}.zip`);
}

/** Has the browser save a file. */
function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser has started to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
