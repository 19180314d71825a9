import { pino } from 'pino';
import { expect, vi } from 'vitest';
import { parseJob } from '../../../contract/parse-job.ts';
import type { Database } from '../../../database/database.ts';
import { openTestDatabase } from '../../../database/testing/test-database.ts';
import type { Egress, EgressRequest } from '../../../egress/egress.ts';
import { createSealer } from '../../../sealing/sealer.ts';
import { openJobs } from '../../jobs/jobs.ts';
import { openQueue } from '../../jobs/queue/queue.ts';
import { statusEvent } from '../../status/status-event.ts';
import { type DeliveryLoop, startDeliveries } from '../deliveries.ts';
import { openWebhookStore, readDeliveries } from '../webhook-store.ts';

/** The secret of every receiver. */
export const secret = 'the secret of a receiver';

/** The worker that claims jobs. */
export const worker = '00000000-0000-4000-8000-000000000001';

/** Returns a job with a webhook; with `null`, a job without one. */
export function jobOf(id: string, webhook: object | null = { url: `https://hooks.example/${id}`, secret }) {
  return parseJob({
    id,
    inputs: [{ url: 'https://cdn.example/a.mp4', ext: 'mp4' }],
    output: { ext: 'mp4' },
    operation: { type: 'convert_format' },
    ...(webhook === null ? {} : { webhook }),
  });
}

/** The response of a receiver: only a status, or with headers. */
type ReceiverResponse = number | { readonly status: number; readonly headers: Record<string, string> };

/** Creates an egress that responds to every request with the result of a function, and records the requests. */
export function fakeReceiver(
  respond: (request: EgressRequest, count: number) => ReceiverResponse | Promise<ReceiverResponse>,
) {
  const requests: EgressRequest[] = [];
  const egress: Egress = {
    async exchange(request) {
      requests.push(request);
      const response = await respond(request, requests.length);
      const head = typeof response === 'number' ? { status: response, headers: {} } : response;
      return { ...head, url: request.url };
    },
    close: async () => undefined,
  };
  return { requests, egress };
}

/** Opens a database with jobs and webhooks, and nodes that deliver. */
export async function openWebhookFixture() {
  const database = await openTestDatabase();
  const other = await database.openAnother();
  const sealer = createSealer(['a secret for these tests']);
  const jobs = openJobs(database, sealer, 100);
  const queue = openQueue(database, sealer);
  const loops: DeliveryLoop[] = [];

  async function deliveryOf(id: string) {
    const job = await readDeliveries(database, id);
    const [delivery] = job?.deliveries ?? [];
    if (delivery === undefined) throw new Error(`${id} has no webhook`);
    return delivery;
  }

  return {
    database,
    other,
    sealer,
    jobs,
    queue,
    store: openWebhookStore(database, sealer),
    deliveryOf,
    /** Starts a job and completes it. */
    async completeJob(id: string, owner = 'me'): Promise<void> {
      await jobs.start(jobOf(id), owner, { origin: { requestId: `request-${id}` } });
      const claim = await queue.claim(worker);
      if (claim?.id !== id) throw new Error(`${id} was not claimed`);
      await queue.complete(claim.run, { key: claim.run, name: 'a.mp4', size: 5, link: 'link', notes: [] });
    },
    /** Makes a node deliver until the test ends. */
    async deliver(egress: Egress, node: Database = database): Promise<DeliveryLoop> {
      const loop = await startDeliveries({
        database: node,
        store: openWebhookStore(node, sealer),
        egress,
        encodeEvent: (status) =>
          JSON.stringify(statusEvent(status, (link, name) => `https://files.example/${link}/${name}`)),
        log: pino({ level: 'silent' }),
      });
      loops.push(loop);
      return loop;
    },
    untilState: (id: string, state: string) =>
      vi.waitFor(async () => expect(await deliveryOf(id)).toMatchObject({ state }), { timeout: 60_000 }),
    /** Stops everything that a test started, and deletes its jobs. */
    async clear(): Promise<void> {
      for (const loop of loops.splice(0)) await loop.close();
      for (const table of ['render_jobs', 'late_webhooks', 'account_webhooks'])
        await database.query(`delete from ${table}`);
    },
    async close(): Promise<void> {
      await other.close();
      await database.close();
    },
  };
}
