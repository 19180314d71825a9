import { readFile } from 'node:fs/promises';
import { changesOf } from './changelog.ts';

/** Prints the changes of a version, as the text of its release: `node scripts/release/print-changes.ts 0.2.0`. */
const [version = ''] = process.argv.slice(2);
process.stdout.write(changesOf(await readFile(new URL('../../CHANGELOG.md', import.meta.url), 'utf8'), version));
