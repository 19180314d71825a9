import { enableCompileCache } from './process/compile-cache.ts';

enableCompileCache();
// Imported only now, so that its compiled form is kept.
const { runProcess: run } = await import('./process/run-process.ts');
await run();
