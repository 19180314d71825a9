import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeClient } from './bundle-client.ts';
import { writeClientTypes } from './client-types.ts';

// Writes the client library, its types and its licence to the folder that is named; npm runs this before it packs.
const [, , name] = process.argv;
if (name === undefined) throw new Error('Name the folder that the client library goes to.');
const folder = resolve(name);
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
await writeClient(folder);
await writeClientTypes(folder);
await copyFile(fileURLToPath(new URL('../../LICENSE', import.meta.url)), join(folder, 'LICENSE'));
