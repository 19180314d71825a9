// Fails if a layer imports one that scripts/layers/layers.ts does not list for it, or if folders import each other in a
// cycle.
import { resolve } from 'node:path';
import { checkLayers } from './layers/check-layer-imports.ts';
import { findFolderCycles } from './layers/folder-cycles.ts';
import { layers } from './layers/layers.ts';
import { readImports } from './layers/read-imports.ts';
import { sourceFiles } from './syntax/source-files.ts';

const files = sourceFiles();
const imports = readImports(files, resolve('.'));
const faults = [...checkLayers(imports, layers), ...findFolderCycles(imports)];
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
