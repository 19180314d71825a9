import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type AdminKey, type ServiceWithAdmin, startServiceWithAdmin } from '../support/admin.ts';
import { describeJob, outcome, post, type StartedJob } from '../support/http-client.ts';
import { canMeasureStalls } from '../support/loop-stall.ts';
import { keys, pidOf, temporaryFolder } from '../support/processes.ts';
import { holdSocket, sendRaw } from '../support/raw-request.ts';

/** A socket in /proc/net/tcp that listens. */
const LISTENING = '0A';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let world: ServiceWithAdmin;
let lab: string;
let testKey: string;

beforeAll(async () => {
  if (!canMeasureStalls) return;
  folder = await temporaryFolder();
  world = await startServiceWithAdmin(inject('labUrl'), folder.path, {}, { LAB: 'on' });
  const key = { plan: 'MEGA', kind: 'render', test: true };
  testKey = (await world.admin<AdminKey & { key: string }>('POST', '/admin/keys', key)).body.key;
  lab = `http://127.0.0.1:${listeningOf(labProcess()).map(({ port }) => port)}`;
});
afterAll(async () => {
  await world?.service.kill();
  await folder?.delete();
});

/** Returns the ID of the process of the lab. */
function labProcess(): number {
  const parent = pidOf(world.service);
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ').map(Number);
  const found = children.find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('lab/main.js'));
  return found ?? expect.unreachable('the service has no lab');
}

/** Returns the IPv4 and IPv6 sockets on which a process listens; the address is in hexadecimal. */
function listeningOf(pid: number): { address: string; port: number }[] {
  const folderOfProcess = `/proc/${pid}/fd`;
  const inodes = new Set(
    readdirSync(folderOfProcess).map(
      (name) => /^socket:\[(\d+)\]$/.exec(readlinkSync(`${folderOfProcess}/${name}`))?.[1],
    ),
  );
  return ['tcp', 'tcp6'].flatMap((table) => {
    const rows = readFileSync(`/proc/net/${table}`, 'utf8').trim().split('\n').slice(1);
    return rows.flatMap((row) => {
      const [, local = '', , state, , , , , , inode] = row.trim().split(/\s+/);
      const [address = '', port = ''] = local.split(':');
      return state === LISTENING && inodes.has(inode) ? [{ address, port: Number.parseInt(port, 16) }] : [];
    });
  });
}

describe.skipIf(!canMeasureStalls)('the port of the lab beside a service', () => {
  test('listens on loopback only', () => {
    expect(listeningOf(labProcess())).toEqual([{ address: '0100007F', port: Number(new URL(lab).port) }]);
  });

  const hosts = [
    '127.0.0.1',
    'localhost',
    'LOCALHOST.',
    '[::1]',
    '0.0.0.0',
    '127.1',
    'lab.example',
    'evil.example',
    '',
  ];
  const pages = ['requests', 'catalogue', 'drift', 'gate?open=all', 'media', 'store'];

  test.each(hosts)('has no control pages for any path to it: %s', async (host) => {
    for (const page of pages) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
        const path = `/_lab/${page}`;
        const targets =
          host === '' ? [path] : [path, `http://${host}${path}`, `https://${host}:${new URL(lab).port}${path}`];
        for (const target of targets) {
          const { status } = await sendRaw(lab, { method, target, host });
          expect([method, target, status >= 400]).toEqual([method, target, true]);
        }
      }
    }
  });

  test('does not connect its proxy clients to anything outside it', async () => {
    const [port] = listeningOf(pidOf(world.service)).map((socket) => socket.port);
    for (const to of [`127.0.0.1:${port}`, `localhost:${port}`, '169.254.169.254:80']) {
      const tunnel = `CONNECT ${to} HTTP/1.1\r\nHost: ${to}\r\n\r\nGET /health HTTP/1.1\r\nHost: ${to}\r\n\r\n`;
      const { received, socket } = await holdSocket(lab, '127.0.0.1', tunnel);
      // The lab answers in place of the destination, and it has no such host.
      await expect.poll(received).toMatch(/^HTTP\/1\.1 200 .*HTTP\/1\.1 502 .*The lab has no host called/s);
      socket.destroy();
    }
  });

  test.each([
    ['a test key', () => testKey],
    ['a live key', () => keys.render],
  ])('is not reachable as an input of a job of %s', async (_who, key) => {
    const { port } = new URL(lab);
    for (const host of [
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
      `lab.localhost:${port}`,
    ]) {
      const job = describeJob('no_process', [{ url: `http://${host}/_lab/requests`, ext: 'mp4' }], 'mp4');
      const { body } = await post<StartedJob>(`${world.service.url}/api/v1/render/execute`, job, key());
      const event =
        body.jobId === undefined ? body : await outcome(`${world.service.url}/api/v1/render/status/sse/${body.jobId}`);
      expect(JSON.stringify(event)).toContain('address_refused');
    }
  });

  test('holds connections that send nothing, and serves others', async () => {
    const held = await Promise.all(Array.from({ length: 200 }, () => holdSocket(lab, '127.0.0.1', '')));
    const slow = await Promise.all(
      Array.from({ length: 100 }, () =>
        holdSocket(lab, '127.0.0.1', 'POST / HTTP/1.1\r\nContent-Length: 9\r\nHost: a'),
      ),
    );
    const get = { method: 'GET', target: '/media/amber-2/still-144.jpg', host: 'cdn.lab.example' };
    expect((await sendRaw(lab, { ...get, target: '/nowhere' })).status).toBe(404);
    const endless = { method: 'POST', target: '/', host: 'cdn.lab.example', body: 'x'.repeat(2 * 1024 * 1024) };
    expect((await sendRaw(lab, endless)).status).toBe(413);
    for (const { socket } of [...held, ...slow]) socket.destroy();
  });

  test('can lose the lab, which the service survives and starts again', async () => {
    const pid = labProcess();
    process.kill(pid, 'SIGKILL');
    await expect.poll(world.service.output).toContain('the lab ended unexpectedly and is restarted');
    expect((await fetch(`${world.service.url}/health`)).status).toBe(200);
    await expect
      .poll(async () =>
        sendRaw(lab, { method: 'GET', target: '/nowhere', host: 'cdn.lab.example' }).catch(() => undefined),
      )
      .toMatchObject({ status: 404 });
    expect(labProcess()).not.toBe(pid);
  });
});
