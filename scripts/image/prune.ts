import { readFile } from 'node:fs/promises';
import { pruneImage } from './prune-image.ts';

// Removes from `node_modules` what an image does not need. deploy/Dockerfile runs it after `npm prune --omit=dev`.
const root = new URL('../../', import.meta.url);
await pruneImage(root, JSON.parse(await readFile(new URL('package-lock.json', root), 'utf8')));
