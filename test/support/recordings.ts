import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Folders of recorded responses: the comma-separated paths in `RECORDINGS_DIR`. Empty if it is not set. */
export const recordingsFolders: readonly string[] = (process.env.RECORDINGS_DIR ?? '')
  .split(',')
  .map((folder) => folder.trim())
  .filter((folder) => folder !== '');

/** Folder of the responses that `millrace probe --record` saves. Its own test reads them. */
const PROBES = 'probes';

/**
 * Returns a platform's recorded responses as unpacked texts, by their path below the platform's folder. Returns none if
 * no folder of `RECORDINGS_DIR` has recordings of the platform. Writes to standard output what was read or skipped.
 */
export function readRecordings(platform: string): ReadonlyMap<string, string> {
  const recordings = new Map<string, string>();
  for (const folder of recordingsFolders.map((each) => join(each, platform)).filter(existsSync)) {
    for (const file of filesIn(folder)) recordings.set(relative(folder, file), readText(file));
  }
  process.stdout.write(
    recordingsFolders.length === 0
      ? `${platform} recordings: skipped, RECORDINGS_DIR is not set\n`
      : `${platform} recordings: ${recordings.size} files read from ${recordingsFolders.join(' and ')}\n`,
  );
  return recordings;
}

/** Reads a file, which may be compressed with gzip. */
function readText(file: string): string {
  const bytes = readFileSync(file);
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => relative(folder, file).split(sep)[0] !== PROBES);
}
