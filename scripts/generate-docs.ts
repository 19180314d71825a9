import { writeFile } from 'node:fs/promises';
import { generatedPages } from './generated-pages.ts';

const root = new URL('../', import.meta.url);
for (const [name, make] of Object.entries(generatedPages)) {
  await writeFile(new URL(name, root), await make(root));
}
