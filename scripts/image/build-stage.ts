import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Time that one step may take, in milliseconds. */
const STEP_TIMEOUT = 10 * 60_000;

/** Runs the steps of a Dockerfile's first stage in `folder`, in place of its working directory. */
export async function buildStage(dockerfile: string, root: URL, folder: string): Promise<void> {
  const [, stage = ''] = dockerfile.split(/^FROM .*$/m);
  for (const [, instruction, rest = ''] of stage.replaceAll('\\\n', '').matchAll(/^(COPY|RUN) (.*)$/gm)) {
    if (instruction === 'COPY') await copy(rest.split(' '), root, folder);
    else await promisify(execFile)('sh', ['-ec', rest], { cwd: folder, timeout: STEP_TIMEOUT });
  }
}

/** Returns the paths that the last stage copies from the first one. */
export function layersOf(dockerfile: string): readonly string[] {
  return [...dockerfile.matchAll(/^COPY --from=packages (\S+) \S+$/gm)].map(([, path = '']) => path);
}

/** As in Docker, the contents of a folder are copied, and a file keeps its name below a target that ends with a slash. */
async function copy(paths: readonly string[], root: URL, folder: string): Promise<void> {
  const target = paths.at(-1) ?? '';
  for (const source of paths.slice(0, -1)) {
    const path = target.endsWith('/') ? join(folder, target, basename(source)) : join(folder, target);
    await cp(fileURLToPath(new URL(source, root)), path, { recursive: true });
  }
}
