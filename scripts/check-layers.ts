// Fails if a room of src/ imports one that does not stand below it, or if imports among the folders of a room form a circle.
import { resolve } from 'node:path';
import { folderCircles, upwardImports } from './layers/check-layers.ts';
import { readImports } from './layers/imports.ts';
import { divided, layers } from './layers/layers.ts';
import { sourceFiles } from './patterns/source-files.ts';

const imports = readImports(sourceFiles(), resolve('.'));
const faults = [...upwardImports(imports, layers), ...divided.flatMap((folder) => folderCircles(imports, folder))];
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
