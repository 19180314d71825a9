import { keepCompiledCode } from './compiled-code.ts';

keepCompiledCode();
// Imported only now, so that its compiled form is kept.
const { run } = await import('./run.ts');
await run();
