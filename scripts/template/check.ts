// Fails if the template was made from an engine version or migrations other than the current ones.
import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { TEMPLATE } from '../../src/database/embedded/unpack-template.ts';
import { currentOrigin, ORIGIN_FILE, sha256 } from './origin.ts';

const recordedOrigin: unknown = JSON.parse(await readFile(ORIGIN_FILE, 'utf8'));
const currentRecord = { ...(await currentOrigin()), archive: await sha256(TEMPLATE) };
if (!isDeepStrictEqual(recordedOrigin, currentRecord)) {
  process.stderr.write(
    'The database template (src/database/template/) was made from another engine version or other migrations. ' +
      'Run "npm run template".\n',
  );
  process.exitCode = 1;
}
