import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { callsTo } from '../../../../test/support/child-calls.ts';
import { runFolder } from '../../../../test/support/run-folder.ts';
import type { DescribedMedia } from './described-media.ts';
import { type MediaName, usualNames } from './media-names.ts';
import type { MediaLibraryCalls } from './serve-media-library.ts';

export { type MediaName, mediaSeconds, unusualNames } from './media-names.ts';

/** Maximum output of a script in bytes. */
const maxBuffer = 64 * 1024 ** 2;

/** A temporary directory for a test file, which contains media. */
export interface MediaDirectory {
  readonly path: string;
  /** Returns the path of a file in it. */
  file(name: string): string;
  remove(): void;
}

/** Creates an empty directory for tests, which the caller removes. */
export function makeTestDirectory(): MediaDirectory {
  const path = mkdtempSync(join(tmpdir(), 'millrace-media-'));
  return {
    path,
    file: (name) => join(path, name),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/**
 * Creates a directory with the named media, or with all usual media by default. Each file is created once per test run.
 */
export async function makeMedia(...names: MediaName[]): Promise<MediaDirectory> {
  const directory = makeTestDirectory();
  const mediaNames = names.length === 0 ? usualNames : names;
  await makeInCache(mediaNames);
  for (const name of mediaNames) copyFileSync(inCache(name), directory.file(name));
  return directory;
}

const inCache = (name: string) => join(runFolder(), name);

/** Maximum time in milliseconds in which another process creates a file that it has claimed. */
const CLAIM_LIMIT_MS = 100_000;

/** Creates the media files that the cache lacks, or waits for the processes that are creating them. */
async function makeInCache(names: readonly MediaName[]): Promise<void> {
  for (const name of names) if (claim(name)) await makeClaimed(name);
  const deadline = performance.now() + CLAIM_LIMIT_MS;
  for (const name of names) {
    while (!existsSync(inCache(name))) {
      // The process that had claimed it failed.
      if (claim(name)) await makeClaimed(name);
      else if (performance.now() > deadline) throw new Error(`another process did not create ${name} in time`);
      else await setTimeout(20);
    }
  }
}

/** Claims the creation of a file of the cache, unless a process has claimed it before. */
function claim(name: MediaName): boolean {
  try {
    mkdirSync(workshopOf(name));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

const workshopOf = (name: MediaName) => inCache(`workshop-${name}`);

/** Creates a claimed file. The claim ends only if that fails. */
async function makeClaimed(name: MediaName): Promise<void> {
  const workshop = workshopOf(name);
  try {
    await callMediaLibrary('makeMediaFiles', workshop, [name]);
    renameSync(join(workshop, name), inCache(name));
  } catch (error) {
    rmSync(workshop, { recursive: true });
    throw error;
  }
}

/**
 * Runs a script of this folder in a separate process, because it loads the media library, and returns its output. The
 * script ends itself with a signal: a clean exit would run the library's destructors, which have been seen to crash.
 *
 * @param timeout - milliseconds after which it is killed.
 */
export async function runWithMediaLibrary(name: string, args: readonly string[], timeout = 60_000): Promise<string> {
  const script = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
  return await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, [script, ...args], { timeout, maxBuffer }, (error, stdout, stderr) => {
      if (error === null || error.signal === 'SIGKILL') resolve(stdout);
      else reject(new Error(`${name} failed: ${stderr}`, { cause: error }));
    });
  });
}

/** Calls the media library in a separate process, which a broken file may crash. */
export const callMediaLibrary = callsTo<MediaLibraryCalls>(new URL('./serve-media-library.ts', import.meta.url));

/** Reads a whole media file. */
export function describeMedia(path: string): Promise<DescribedMedia> {
  return callMediaLibrary('describeMedia', path);
}
