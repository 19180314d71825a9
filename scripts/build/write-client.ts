import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeClient } from './bundle-client.ts';
import { writeClientTypes } from './client-types.ts';

// Writes the client library, its types and its licence to the given folder. npm runs this before packing.
const [, , name] = process.argv;
if (name === undefined) throw new Error('The folder for the client library is missing. Pass it as the first argument.');
const folder = resolve(name);
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
await writeClient(folder);
await writeClientTypes(folder);
await copyFile(fileURLToPath(new URL('../../LICENSE', import.meta.url)), join(folder, 'LICENSE'));
