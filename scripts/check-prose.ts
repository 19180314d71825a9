// Fails if a text that people read breaks the rules of the project's voice (CONTRIBUTING.md).
import { checkProse } from './prose/check-prose.ts';

const faults = await checkProse();
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
