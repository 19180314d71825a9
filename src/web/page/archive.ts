import { fileName, type Piece } from './pieces.ts';

/** How far an archive is. */
export interface ArchiveProgress {
  readonly done: number;
  readonly of: number;
}

/**
 * Fetches files one after another, and saves them as one archive.
 *
 * @throws Error naming the file that did not come.
 */
export async function saveArchive(
  pieces: readonly Piece[],
  title: string,
  onProgress: (progress: ArchiveProgress) => void,
): Promise<void> {
  // Few need it: it is loaded when they do.
  const { downloadZip } = await import('client-zip');
  async function* fetched() {
    for (const [done, piece] of pieces.entries()) {
      onProgress({ done, of: pieces.length });
      if (piece.file === undefined) continue;
      const answer = await fetch(piece.file.url);
      if (!answer.ok) throw new Error(`Item ${piece.place} could not be fetched: its host answered ${answer.status}.`);
      yield { name: fileName(piece), input: answer };
    }
  }
  save(await downloadZip(fetched()).blob(), `${title}.zip`);
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
