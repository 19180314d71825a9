import { fileName, type Piece } from './pieces.ts';
import { client } from './service.ts';

/** How far an archive is. */
export interface ArchiveProgress {
  readonly done: number;
  readonly of: number;
}

/**
 * Fetches files one after another, and saves them as one archive. A connection that breaks off or falls silent is opened
 * anew.
 *
 * @throws Error naming the file that did not come whole.
 */
export async function saveArchive(
  pieces: readonly Piece[],
  title: string,
  onProgress: (progress: ArchiveProgress) => void,
): Promise<void> {
  // Few need it: it is loaded when they do.
  const { downloadZip } = await import('client-zip');
  let place = 0;
  function* fetched() {
    for (const [done, piece] of pieces.entries()) {
      onProgress({ done, of: pieces.length });
      if (piece.file === undefined) continue;
      place = piece.place;
      yield { name: fileName(piece), input: client.renders.download(piece.file) };
    }
  }
  const archive = await downloadZip(fetched())
    .blob()
    .catch((cause: unknown) => {
      throw new Error(`Item ${place} could not be fetched. Try again, or leave it out.`, { cause });
    });
  save(archive, `${title}.zip`);
}

/** Has the browser save a file. */
function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
