// Fails if a text that people read breaks the rules of the project's voice (CONTRIBUTING.md).
import { readFileSync } from 'node:fs';
import { checkProse } from './prose/check-prose.ts';

const faults = await checkProse((file) => readFileSync(file, 'utf8'));
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
