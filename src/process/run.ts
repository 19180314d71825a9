import { type Logger, pino } from 'pino';
import { readConfig } from '../config.ts';
import { StartError } from '../contract/start-error.ts';
import { type Service, startService } from '../service.ts';
import { hangingCalls } from '../storage/bulkhead.ts';
import { collectBuffersLessOften } from './collect-buffers.ts';
import { startIdleCollection } from './idle-collection.ts';
import { allocateYoung } from './short-lived-objects.ts';

/** How long the process may take to hand back, cut off and close what is left when its time is over. */
const PUT_AWAY_MS = 6_000;

/** Runs the service as a process of its own: starts it, and stops it when told to. */
export async function run(): Promise<void> {
  await start().catch((error: unknown) => {
    const report = error instanceof StartError ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`${report}\n`);
    leave(1);
  });
}

async function start(): Promise<void> {
  collectBuffersLessOften();
  allocateYoung();
  // Files that the service writes are only for its own user.
  process.umask(0o077);
  startIdleCollection();
  const config = readConfig();
  const log = pino({ level: config.LOG_LEVEL });
  for (const { pattern, origin } of config.EGRESS_CONNECT_TO) {
    log.warn(
      `EGRESS_CONNECT_TO is set: connections to "${pattern}" really go to ${origin.origin}. Not for production.`,
    );
  }
  const service = await startService(config, log);
  // First: a caller that sees the following lines may stop the service at once.
  stopWhenTold(service, config.DRAIN_TIMEOUT, log);
  log.info({ ...service.addresses, roles: config.ROLES }, 'Millrace is ready');
  tellNewKeys(service.newKeys);
}

/** The first signal lets what is under way end, a second one does not, and a third one ends the process as it is. */
function stopWhenTold(service: Service, drainTimeout: number, log: Logger): void {
  const now = new AbortController();
  let told = 0;
  const giveUp = () => {
    log.error('Millrace could not put everything away in time');
    leave(1);
  };
  const stop = (signal: NodeJS.Signals) => {
    told += 1;
    log.info({ signal }, told === 1 ? 'Millrace stops' : 'Millrace stops now');
    if (told > 2) leave(1);
    if (told === 2) {
      now.abort();
      setTimeout(giveUp, PUT_AWAY_MS).unref();
      return;
    }
    setTimeout(giveUp, drainTimeout * 1_000 + PUT_AWAY_MS).unref();
    service.close(now.signal).then(
      () => leave(0),
      (error: unknown) => {
        log.error({ err: error }, 'Millrace could not stop cleanly');
        leave(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
}

/**
 * Ends the process. `process.exit` waits for libuv's threads (`uv_library_shutdown`), so a call that hangs would keep the
 * process for ever.
 */
function leave(code: number): void {
  if (hangingCalls() > 0) process.kill(process.pid, 'SIGKILL');
  else process.exit(code);
}

/** Prints new keys once, to standard error: keys are never logged. */
function tellNewKeys({ extraction, render }: Service['newKeys']): void {
  const lines = [
    ...(extraction === undefined ? [] : [`  extraction API (X-Marketplace-Key): ${extraction}`]),
    ...(render === undefined ? [] : [`  direct job API (Authorization: Bearer): ${render}`]),
  ];
  if (lines.length > 0) {
    process.stderr.write(`\nNew keys were made. They are shown this once; keep them:\n${lines.join('\n')}\n\n`);
  }
}
