import { readdirSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { describeJob, run } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { pidOf, type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';
import { type HeldSocket, holdSocket } from '../support/raw-request.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: RunningProcess;
const heldSockets: HeldSocket[] = [];

beforeAll(async () => {
  folder = await temporaryFolder();
  service = await startService(inject('labUrl'), folder.path);
});
afterAll(async () => {
  await service.kill();
  await folder.delete();
});
afterEach(() => {
  for (const { socket } of heldSockets.splice(0)) socket.destroy();
});

const descriptors = () => readdirSync(`/proc/${pidOf(service)}/fd`).length;

test.skipIf(process.platform !== 'linux')(
  'thousands of downloads requested on one connection open one file at a time (needs /proc)',
  async () => {
    const { url } = labFile('/media/amber-30/movie-360.mp4');
    const event = await run(service.url, describeJob('no_process', [{ url, ext: 'mp4' }], 'mp4'));
    const path = (event.output?.url ?? '').slice(service.url.length);
    const before = descriptors();
    const requests = `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(3_000);
    const held = await holdSocket(service.url, '127.0.0.2', requests);
    heldSockets.push(held);
    await expect.poll(() => held.received().length).toBeGreaterThan(0);
    held.socket.pause();
    for (let count = 0; count < 5; count += 1) {
      expect((await fetch(`${service.url}/health`)).status).toBe(200);
      expect(descriptors() - before).toBeLessThan(20);
    }
    expect((await fetch(event.output?.url ?? '', { method: 'HEAD' })).status).toBe(200);
  },
);
