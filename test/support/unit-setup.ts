import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates the folder for shared data of the unit tests, and names it in `TEST_RUN_FOLDER`. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-test-run-'));
  process.env.TEST_RUN_FOLDER = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
