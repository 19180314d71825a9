import { client } from '../common/client.ts';
import { saveLink } from '../common/save-link.ts';
import { freshMedia } from '../query/fresh-media.ts';
import type { QueryResult } from '../query/query-result.ts';
import { isLinkExpired } from '../query/same-media.ts';
import { fileName, type PostItem } from './post-items.ts';

/** The progress of an archive. */
interface ArchiveProgress {
  readonly index: number;
  readonly total: number;
}

/**
 * Downloads files one after another, and saves them as one archive. Downloads that break off or stall are retried, and
 * links that have expired are replaced.
 *
 * @param source The result that the items belong to.
 * @throws Error naming the file that could not be downloaded.
 */
export async function saveArchive(
  source: QueryResult,
  items: readonly PostItem[],
  title: string,
  onProgress: (progress: ArchiveProgress) => void,
): Promise<void> {
  // Loaded on demand: few visitors need it.
  const { downloadZip } = await import('client-zip');
  let position = 0;
  async function* files() {
    for (const [index, item] of items.entries()) {
      onProgress({ index, total: items.length });
      if (item.file === undefined) continue;
      position = item.position;
      const file = isLinkExpired(item.file) ? await freshMedia(source, item.file) : item.file;
      yield { name: fileName(item), input: client.renders.download(file) };
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
  const url = URL.createObjectURL(blob);
  saveLink(url, name);
  // By then, the browser has started to read the file.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
