import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';

/**
 * Returns a platform's recorded responses as unpacked texts, by path. Returns none if `RECORDINGS_DIR` is not set.
 * Writes to standard output whether the recordings were read or skipped.
 */
export function readRecordings(platform: string): ReadonlyMap<string, string> {
  const folder = process.env.RECORDINGS_DIR && join(process.env.RECORDINGS_DIR, platform);
  const recordings = folder ? readAll(folder) : new Map<string, string>();
  process.stdout.write(
    folder
      ? `${platform} recordings: ${recordings.size} files read from ${folder}\n`
      : `${platform} recordings: skipped, RECORDINGS_DIR is not set\n`,
  );
  return recordings;
}

function readAll(root: string): Map<string, string> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map((file) => {
      const path = join(file.parentPath, file.name);
      const bytes = readFileSync(path);
      return [relative(root, path), (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')];
    }),
  );
}
