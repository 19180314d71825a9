// Fails if some input makes a regular expression in the source take more than linear time.
import { advice, checkPatterns } from './patterns/check-patterns.ts';
import { openVerdictCache } from './patterns/verdict-cache.ts';
import { sourceFiles } from './syntax/source-files.ts';

const faults = await checkPatterns(sourceFiles(), openVerdictCache('node_modules/.cache/millrace/patterns.json'));
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) process.stderr.write(`${advice}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
