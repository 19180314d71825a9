import { enableCompileCache } from './process/compile-cache.ts';

enableCompileCache();
// Imported only now, so that its compiled form is kept.
const { run } = await import('./process/run.ts');
await run();
