import type { Logger } from 'pino';
import { StartError } from '../contract/start-error.ts';
import { type Service, startService } from '../service.ts';
import { hangingCalls } from '../storage/bulkhead.ts';
import { startTimeLimit } from '../waiting/time-limit.ts';
import { collectBuffersLessOften } from './buffer-collection.ts';
import { createLog } from './create-log.ts';
import { disablePretenuring } from './disable-pretenuring.ts';
import { reportFirstKeys } from './first-keys.ts';
import { startIdleCollection } from './idle-collection.ts';
import { readServiceSettings } from './service-settings.ts';

/**
 * Maximum time to hand jobs back, cut connections and close resources after the drain time. It does not include time in
 * which the process cannot run.
 */
const CLOSE_TIMEOUT_MS = 6_000;

/** Runs the service as a process: starts it, and stops it on SIGTERM and SIGINT. */
export async function runProcess(): Promise<void> {
  await start().catch((error: unknown) => {
    const report = error instanceof StartError ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`${report}\n`);
    exit(1);
  });
}

async function start(): Promise<void> {
  collectBuffersLessOften();
  disablePretenuring();
  // Only the service's user may read the files that it writes.
  process.umask(0o077);
  startIdleCollection();
  const { config, fromFile } = await readServiceSettings();
  const log = await createLog({ level: config.LOG_LEVEL, format: config.LOG_FORMAT, descriptor: 1 });
  if (fromFile !== undefined) log.info(fromFile, 'settings come from a file in the working folder');
  for (const { pattern, origin } of config.EGRESS_CONNECT_TO) {
    log.warn(
      `EGRESS_CONNECT_TO is set, so connections to "${pattern}" go to ${origin.origin} instead. Do not use it in production.`,
    );
  }
  const service = await startService(config, log);
  // This must come first: a program that reads the following log lines may stop the service immediately.
  stopOnSignals(service, config.DRAIN_TIMEOUT, log);
  log.info({ ...service.addresses, roles: config.ROLES }, 'Millrace is ready');
  await reportFirstKeys(service.newKeys, {
    dataDirectory: service.dataDirectory,
    terminal: process.stderr.isTTY ? process.stderr : undefined,
    log,
  });
}

/**
 * Stops the service on signals. The first lets jobs and requests finish, the second does not, and the third exits
 * immediately.
 */
function stopOnSignals(service: Service, drainTimeout: number, log: Logger): void {
  const immediateStop = new AbortController();
  let signals = 0;
  const giveUp = () => {
    log.error('Millrace could not close all resources in time');
    exit(1);
  };
  const giveUpAfter = (drainMs: number) => {
    // Not ended by anyone, because the process ends before or with it.
    const limitClose = () => startTimeLimit(CLOSE_TIMEOUT_MS).signal.addEventListener('abort', giveUp);
    setTimeout(limitClose, drainMs).unref();
  };
  const stop = (signal: NodeJS.Signals) => {
    signals += 1;
    log.info({ signal }, signals === 1 ? 'Millrace is stopping' : 'Millrace is stopping immediately');
    if (signals > 2) exit(1);
    if (signals === 2) {
      immediateStop.abort();
      giveUpAfter(0);
      return;
    }
    giveUpAfter(drainTimeout * 1_000);
    service.close(immediateStop.signal).then(
      () => exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'Millrace could not stop cleanly');
        exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
}

/**
 * Exits the process. `process.exit` waits for libuv's threads (`uv_library_shutdown`), so a call that hangs would keep
 * the process alive forever.
 */
function exit(code: number): void {
  if (hangingCalls() === 0) process.exit(code);
  // The handlers of this event write what has been logged.
  process.emit('exit', code);
  process.kill(process.pid, 'SIGKILL');
}
