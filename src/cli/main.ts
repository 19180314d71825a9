#!/usr/bin/env node
import { enableCompileCache } from '../process/compile-cache.ts';
import { runCommandLine } from './run-command-line.ts';

enableCompileCache();
const code = await runCommandLine(process.argv.slice(2), process);
// Exits even if idle connections are open. When the callback runs, the output is flushed.
if (code !== undefined) process.stdout.write('', () => process.exit(code));
