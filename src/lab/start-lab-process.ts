import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { validUrl } from '../contract/parse-url.ts';
import { StartError } from '../contract/start-error.ts';
import { packageFile } from '../files/package-files.ts';
import { sleep } from '../waiting/sleep.ts';
import { type LabChild, type LabLog, startLabChild } from './lab-child.ts';

/** The lab beside the service. */
export interface LabProcess {
  /** Address of the lab on loopback. It changes only if another program takes the port while the lab restarts. */
  readonly origin: URL;
  /** Ends the lab, and waits until it has ended. */
  close(): Promise<void>;
}

interface LabProcessOptions {
  /** The service's data folder. Its folder `test-lab` is the cache of generated media. */
  readonly dataDirectory: string;
  readonly log: LabLog;
  /** Path of the lab's program; default: the one in `dist`. */
  readonly program?: string;
}

/** Milliseconds before the first restart. The pause doubles with each further one, up to the maximum. */
const firstPause = 250;
const maxPause = 30_000;
/** Milliseconds after which the next pause is the first one again. */
const healthyAfter = 60_000;

/**
 * Starts the lab as a child process, and restarts it with increasing pauses if it ends.
 *
 * @throws StartError if the lab cannot be started.
 */
export async function startLabProcess({ dataDirectory, log, program }: LabProcessOptions): Promise<LabProcess> {
  const closing = new AbortController();
  const start = (port: number) =>
    startLabChild({
      program: program ?? fileURLToPath(packageFile('dist/lab/main.js')),
      cacheDirectory: join(dataDirectory, 'test-lab'),
      port,
      log,
      signal: closing.signal,
    });
  let lab: LabChild = await start(0).catch((error: unknown) => {
    throw new StartError('LAB is on, but the lab did not start. The log contains the output of the lab.', {
      cause: error,
    });
  });

  /**
   * Restarts the lab on its port, or on any other one after a failed attempt, which can mean that the port is taken.
   */
  const restart = async (firstWait: number): Promise<LabChild> => {
    let port = lab.port;
    for (let pause = firstWait; ; pause = Math.min(pause * 2, maxPause)) {
      await sleep(pause, closing.signal);
      try {
        return await start(port);
      } catch (error) {
        closing.signal.throwIfAborted();
        log.warn({ err: error }, 'the lab did not restart');
        port = 0;
      }
    }
  };
  const keepRunning = async () => {
    for (let pause = firstPause; ; pause = Math.min(pause * 2, maxPause)) {
      const startedAt = performance.now();
      const exit = await lab.ended;
      if (closing.signal.aborted) return;
      if (performance.now() - startedAt > healthyAfter) pause = firstPause;
      log.warn({ exit, pause }, 'the lab ended unexpectedly and is restarted');
      lab = await restart(pause);
      // Closed at the very end of the restart: `close` has stopped the lab before this one.
      if (closing.signal.aborted) return await lab.stop();
    }
  };
  // Fails only if the lab is closed during a restart.
  const kept = keepRunning().catch(() => undefined);

  return {
    get origin() {
      return validUrl(`http://127.0.0.1:${lab.port}`);
    },
    async close() {
      closing.abort(new Error('the service is stopping'));
      await lab.stop();
      await kept;
    },
  };
}
