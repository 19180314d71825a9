import { enableCompileCache } from './process/compile-cache.ts';

enableCompileCache();
// Imported dynamically, so that its compiled form is cached.
const { runProcess: run } = await import('./process/run-process.ts');
await run();
