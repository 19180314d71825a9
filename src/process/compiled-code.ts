import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../files/package-files.ts';

/**
 * Has Node keep the compiled form of all code that is imported from now on, for later starts. It lies beside the code and
 * not in the folder for temporary files, where other users could change what runs; an installation that the service may
 * not write does without, and so does an older Node. `NODE_COMPILE_CACHE` takes precedence.
 */
export function keepCompiledCode(): void {
  module.enableCompileCache?.(fileURLToPath(packageFile('dist/compiled')));
}
