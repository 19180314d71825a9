import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes the folder of the media files that are made once for all unit tests, and names it in `MEDIA_CACHE`. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-media-cache-'));
  process.env.MEDIA_CACHE = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
