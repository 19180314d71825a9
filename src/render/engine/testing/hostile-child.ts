import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { restrictProcess } from '../self-restriction/restrict-process.ts';
import {
  attackFiles,
  attackFilesAsync,
  attackSystem,
  type Findings,
  plantTraps,
  type Targets,
  useWorkspace,
} from './attacks.ts';

/**
 * A media engine child that a file has taken over. It is launched and restricts itself like the real child, then reads
 * its targets. It attacks from the main thread, the thread pool and a Worker, and also with the means of native code.
 * It reports the outcomes on file descriptor 3.
 */
const [, landlock] = process.argv.slice(2).map(Number);

function say(message: unknown): void {
  writeSync(3, `${JSON.stringify(message)}\n`);
}

async function attack(targets: Targets): Promise<Record<string, Findings>> {
  return {
    allowed: await useWorkspace(targets),
    main: attackFiles(targets),
    pool: await attackFilesAsync(targets),
    worker: await inWorker(targets),
    system: await attackSystem(targets),
    traps: plantTraps(targets),
    native: landlock === undefined ? {} : (await import('./native-attacks.ts')).attackNatively(targets),
    limits: processLimit(),
  };
}

function inWorker(targets: Targets): Promise<Findings> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./hostile-worker.js', import.meta.url), { workerData: targets, execArgv: [] });
    worker.on('message', resolve);
    worker.on('error', reject);
  });
}

/** Returns the limit on processes, which Node's diagnostic report contains. */
function processLimit(): Findings {
  const { userLimits } = process.report.getReport() as unknown as {
    userLimits: Record<string, { soft: unknown; hard: unknown }>;
  };
  return { processes: String(userLimits.max_user_processes?.hard) };
}

const restrictions = await restrictProcess(landlock);
process.stdin.setEncoding('utf8');
process.stdin.once('data', (text: string) => {
  attack(JSON.parse(text)).then(
    (findings) => say({ type: 'findings', findings }),
    (error) => say({ type: 'broken', error: String(error?.stack ?? error) }),
  );
});
say({ type: 'ready', ...restrictions });
