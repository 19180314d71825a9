import { keepCompiledCode } from './process/compiled-code.ts';

keepCompiledCode();
// Imported only now, so that its compiled form is kept.
const { run } = await import('./process/run.ts');
await run();
