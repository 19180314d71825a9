import { setTimeout as delay } from 'node:timers/promises';
import { pidOf, startService } from '../../test/support/processes.ts';
import { memoryOf, printLine } from '../measure.ts';
import type { BeatCommand as JobOrder } from './beats-main.ts';
import type { ListenerCommand as ListenerOrder } from './listeners-main.ts';
import { checkOpenFiles } from './measure-streams.ts';
import { startHelper, withSetup } from './setup.ts';

const STREAMS = 10_000;
const JOBS = 500;
const SLOTS = 4;
const ROUNDS = 3;
/**
 * Time after which memory is measured. The service checks for garbage every ten seconds, and once more after a minute.
 */
const SETTLING_MS = 90_000;

/** Opens and closes 10,000 status streams three times, and compares the memory of the API process before and after. */
export async function measureMemory(): Promise<void> {
  await checkOpenFiles();
  await withSetup(async ({ databaseUrl, folder }) => {
    const service = await startService('http://127.0.0.1:9', `${folder}/node`, {
      ROLES: 'api,render',
      DATABASE_URL: databaseUrl,
      STORAGE_URL: `file:${folder}/files`,
      LOG_LEVEL: 'error',
    });
    const beats = await startHelper('./beats-main.ts', databaseUrl, JOBS, SLOTS);
    const memory = async () => (await memoryOf(pidOf(service))) / 1e6;
    try {
      await beats.request<number>({ start: true } satisfies JobOrder);
      await delay(SETTLING_MS);
      const before = await memory();
      printLine(`memory before any stream: ${before.toFixed(0)} MB`);
      for (let round = 1; round <= ROUNDS; round += 1) {
        const listeners = await startHelper('./listeners-main.ts', new URL(service.url).port, STREAMS, JOBS, 60);
        await listeners.request<number>({ open: true } satisfies ListenerOrder);
        const open = await memory();
        await listeners.stop();
        await delay(SETTLING_MS);
        const after = await memory();
        const ratio = (after / before).toFixed(2);
        printLine(
          `  round ${round}: ${open.toFixed(0)} MB with ${STREAMS} streams, ${after.toFixed(0)} MB after they were ` +
            `closed: ${ratio} of before (target 1.3)`,
        );
      }
    } finally {
      await beats.stop();
      await service.stop();
    }
  });
}
