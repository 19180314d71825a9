// Fails if a room imports one that scripts/layers/layers.ts does not list for it, or if folders import in a circle.
import { resolve } from 'node:path';
import { checkRooms } from './layers/check-rooms.ts';
import { folderCircles } from './layers/folder-circles.ts';
import { readImports } from './layers/imports.ts';
import { rooms } from './layers/layers.ts';
import { sourceFiles } from './patterns/source-files.ts';

const files = sourceFiles();
const imports = readImports(files, resolve('.'));
const faults = [...checkRooms(imports, rooms), ...folderCircles(imports)];
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
