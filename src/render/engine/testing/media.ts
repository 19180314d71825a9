import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Seconds that each media file plays. */
export const mediaSeconds = 4;

/** Media files that tests can have. */
export type MediaName =
  | 'av.mp4'
  | 'v.mp4'
  | 'moov-last.mp4'
  | 'fragmented.mp4'
  | 'a.m4a'
  | 'av.mkv'
  | 'av.ts'
  | 'av.webm'
  | 'a.webm'
  | 'a.mp3';

/** A directory of its own for a test file, with media in it. */
export interface MediaDirectory {
  readonly path: string;
  /** Path of a file in it. */
  file(name: string): string;
  remove(): void;
}

/** Makes an empty directory for tests, which its maker removes. */
export function testDirectory(): MediaDirectory {
  const path = mkdtempSync(join(tmpdir(), 'millrace-media-'));
  return {
    path,
    file: (name) => join(path, name),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** Makes a directory with every {@link MediaName} in it; takes about a second. */
export async function makeMedia(): Promise<MediaDirectory> {
  const directory = testDirectory();
  const script = fileURLToPath(new URL('./make-media.ts', import.meta.url));
  await new Promise<void>((resolve, reject) => {
    execFile(process.execPath, [script, directory.path], { timeout: 60_000 }, (error, _stdout, stderr) => {
      // It ends itself with a signal when all is made.
      if (error === null || error.signal === 'SIGKILL') resolve();
      else reject(new Error(`test media could not be made: ${stderr}`, { cause: error }));
    });
  });
  return directory;
}
