import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TEMPLATE } from '../../src/database/embedded/unpack-template.ts';
import { createTemplateDatabase } from './create-template-database.ts';
import { currentOrigin, ORIGIN_FILE, sha256 } from './origin.ts';
import { packTemplate } from './pack-template.ts';

// Makes the initial database of every installation ("npm run template"), and records what it was made from.
const workshop = await mkdtemp(join(tmpdir(), 'millrace-template-'));
try {
  await packTemplate(await createTemplateDatabase(workshop), TEMPLATE);
  const record = { ...(await currentOrigin()), archive: await sha256(TEMPLATE) };
  await writeFile(ORIGIN_FILE, `${JSON.stringify(record, undefined, 2)}\n`);
} finally {
  await rm(workshop, { recursive: true, force: true });
}
