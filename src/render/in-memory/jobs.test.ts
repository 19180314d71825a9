import { expect, test } from 'vitest';
import { jobWithId } from '../testing/job-store-implementations.ts';
import { createInMemoryJobStore } from './job-store.ts';

test('rejects a job with a webhook, which could not be delivered after the command ends', async () => {
  const { jobs, statuses } = createInMemoryJobStore(10);
  const job = { ...jobWithId('one'), webhook: { url: 'https://hooks.example/', secret: 'whsec_secret' } };
  await expect(jobs.start(job, 'me')).rejects.toMatchObject({ code: 'invalid_params' });
  expect((await statuses.read(['one'])).size).toBe(0);
});

test('does not notify a listener that has unsubscribed', async () => {
  const { jobs, statuses } = createInMemoryJobStore(10);
  const payloads: string[] = [];
  const stop = await statuses.listen('render_queue', (id) => payloads.push(id));
  await jobs.start(jobWithId('one'), 'me');
  await stop();
  await jobs.start(jobWithId('two'), 'me');
  await Promise.resolve();
  expect(payloads).toEqual(['one']);
});
