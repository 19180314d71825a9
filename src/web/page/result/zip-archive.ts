import { client } from '../common/client.ts';
import { fileName, type PostItem } from './post-items.ts';

/** The progress of an archive. */
interface ArchiveProgress {
  readonly index: number;
  readonly total: number;
}

/**
 * Downloads files one after another, and saves them as one archive. Downloads that break off or stall are retried.
 *
 * @throws Error naming the file that could not be downloaded.
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
      throw new Error(`Item ${position} could not be downloaded. Try again, or deselect it.`, { cause });
    });
  save(archive, `${title}.zip`);
}

/** Makes the browser save a file. */
function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // By then, the browser has started to read the file.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
