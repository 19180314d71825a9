import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../files/package-files.ts';

/**
 * Has Node cache the compiled form of all code that is imported from now on, for later starts. The cache is next to the
 * code and not in the folder for temporary files, where other users could change the code that runs. Nothing is cached
 * if the service may not write to its installation, or with an older Node. `NODE_COMPILE_CACHE` takes precedence.
 */
export function enableCompileCache(): void {
  module.enableCompileCache?.(fileURLToPath(packageFile('dist/compiled')));
}
