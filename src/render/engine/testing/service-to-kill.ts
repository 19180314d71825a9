import { join } from 'node:path';
import { EngineChild } from '../child/engine-child.ts';
import { createEngine } from '../create-engine.ts';
import { engineProgram } from '../self-restriction/visible-files.ts';

/**
 * A service that is about to be killed. With `sandbox` it has two children, one of which hangs on a file that never
 * arrives. With `bare` it has one child that waits, without any mechanism that ends a child when its parent dies.
 */
const [directory = '.', mode] = process.argv.slice(2);
const log = { debug: () => undefined, warn: () => undefined };

if (mode === 'sandbox') {
  const engine = createEngine({ spares: 1 });
  const path = join(directory, 'hanging.mp4');
  engine.probe({ directory, path, ext: 'mp4' }, { signal: new AbortController().signal }).catch(() => undefined);
  await engine.ready;
} else {
  const program = engineProgram('child');
  const command = [process.execPath, program, `${process.pid}`, '1'];
  const child = new EngineChild({
    command,
    directory,
    env: {},
    processNamespace: false,
    descriptors: [],
    onReady: () => undefined,
    log,
  });
  await child.ready();
}
// Time for the hanging child to reach its file.
setTimeout(() => process.stdout.write('ready\n'), 700);
setInterval(() => undefined, 1000);
