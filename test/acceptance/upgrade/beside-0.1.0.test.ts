import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { waitForLog } from '../../support/cluster.ts';
import { documentedCommands } from '../../support/documented-commands.ts';
import type { Result } from '../../support/envelope.ts';
import { freePort } from '../../support/free-port.ts';
import {
  describeJob,
  extract,
  fetchJson,
  outcome,
  post,
  type StartedJob,
  type StatusEvent,
} from '../../support/http-client.ts';
import { labFile } from '../../support/lab-client.ts';
import { keys, type RunningProcess, startService, temporaryFolder } from '../../support/processes.ts';
import { stackSettings } from '../../support/storage-stack.ts';
import { checkOut, whyNotRunnable } from '../../support/upgrade/checkout.ts';
import { idsOn, membersCalled, receiverHost } from '../../support/upgrade/fixture-record.ts';
import { startReceiver } from '../../support/upgrade/webhook-receiver.ts';

const commit = 'c62d2eb623ab3a659d10a6f1e0bb3669df5fd379';
const obstacle = process.env.TEST_DATABASE_URL === undefined ? 'needs TEST_DATABASE_URL' : await whyNotRunnable(commit);
const adminToken = 'token-of-the-upgrade-tests';

describe.skipIf(obstacle !== undefined)(`nodes of 0.1.0 and of this version${obstacle ? ` (${obstacle})` : ''}`, () => {
  const lab = inject('labUrl');
  const running: RunningProcess[] = [];
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  let settings: Record<string, string>;
  let oldApi: RunningProcess;
  let newApi: RunningProcess;
  let oldWorker: RunningProcess;
  let newWorker: RunningProcess;

  async function startNode(
    version: 'old' | 'new',
    ROLES: string,
    more: Record<string, string> = {},
  ): Promise<RunningProcess> {
    const data = join(folder.path, `${version}-${ROLES}`);
    const elsewhere = version === 'old' ? { checkout: join(folder.path, 'checkout') } : {};
    const node = await startService(lab, data, { ...settings, ROLES, WORKER_CONCURRENCY: '1', ...more }, elsewhere);
    running.push(node);
    return node;
  }

  beforeAll(async () => {
    folder = await temporaryFolder();
    receiver = await startReceiver();
    await checkOut(commit, join(folder.path, 'checkout'));
    settings = {
      ...(await stackSettings(folder.path, 'postgres')),
      STORAGE_URL: `file:${join(folder.path, 'files')}`,
      EGRESS_CONNECT_TO: `${receiverHost}=${receiver.url},*=${lab}`,
    };
    oldApi = await startNode('old', 'api,render');
    oldWorker = await startNode('old', 'worker');
    // This node runs the migrations while the others continue.
    const admin = { ADMIN_PORT: String(await freePort()), ADMIN_TOKEN: adminToken };
    newApi = await startNode('new', 'api,render', admin);
    settings.ADMIN = admin.ADMIN_PORT;
  });
  afterAll(async () => {
    await Promise.all(running.map((node) => node.stop()));
    await receiver.stop();
    await folder.delete();
  });

  const nodes = () => [oldApi, newApi] as const;
  const pairs = () => [[oldApi, newApi] as const, [newApi, oldApi] as const];
  const at = ({ url }: RunningProcess, link = '') => link.replace(new URL(link).origin, url);
  const start = ({ url }: RunningProcess, job: object) => post<StartedJob>(`${url}/api/v1/render/execute`, job);
  const endAt = ({ url }: RunningProcess, id: string) => outcome(`${url}/api/v1/render/status/sse/${id}`);
  const stateAt = async ({ url }: RunningProcess, id: string) =>
    (await fetchJson<StatusEvent>(`${url}/api/v1/render/jobs/${id}`)).body.status;

  function clip(faults: Record<string, string | number> = {}, more: Record<string, unknown> = {}) {
    const input = { url: labFile('/media/amber-2/movie-144.mp4', faults).url, ext: 'mp4' };
    return describeJob('convert_format', [input], 'mkv', { chunkDownload: { concurrency: 1 }, ...more });
  }

  /** Starts a job on a node, and expects both nodes to report its end and to send its file. */
  async function expectDone(node: RunningProcess, job: { readonly id: string }): Promise<void> {
    expect((await start(node, job)).status).toBe(202);
    const [before, now] = await Promise.all([endAt(oldApi, job.id), endAt(newApi, job.id)]);
    const { output, ...others } = before;
    expect(now).toMatchObject({ ...others, status: 'done', output: { key: output?.key, size: output?.size } });
    for (const { output: file } of [before, now]) {
      const response = await fetch(file?.url ?? '');
      expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([200, file?.size]);
    }
  }

  async function onDatabase(statement: string, ...values: readonly unknown[]): Promise<unknown[]> {
    const client = new pg.Client(settings.DATABASE_URL);
    await client.connect();
    return (await client.query(statement, [...values]).finally(() => client.end())).rows;
  }

  test('complete jobs that either started, at a worker of 0.1.0', async () => {
    for (const node of nodes()) await expectDone(node, clip());
  });

  test('leave a job unclaimed while a worker of 0.1.0 cannot read it', async () => {
    const [slow, newer, plain] = [clip({ latency: 3_000 }), clip(), clip()];
    for (const job of [slow, newer]) await start(newApi, job);
    await onDatabase('update render_jobs set format = 2 where id = $1', newer.id);
    await endAt(oldApi, slow.id);
    // The worker has a free slot now, and polls for work each second.
    await start(oldApi, plain);
    await expect.poll(() => stateAt(newApi, slow.id)).toBe('done');
    for (let looks = 0; looks < 3; looks += 1) await nextBeat();
    expect([await stateAt(oldApi, newer.id), await stateAt(newApi, newer.id)]).toEqual(['queued', 'queued']);
    expect(waitForLog(oldWorker.output(), newer.id, 'job taken up')).toBe(false);
    await onDatabase('update render_jobs set format = 1 where id = $1', newer.id);
    for (const { id } of [newer, plain]) expect(await endAt(oldApi, id)).toMatchObject({ status: 'done' });
  });

  /** Waits until the workers have sent another heartbeat. */
  async function nextBeat(): Promise<void> {
    const client = new pg.Client(settings.DATABASE_URL);
    await client.connect();
    const last = async () => String((await client.query('select max(beat_at) from workers')).rows[0]?.max?.getTime());
    try {
      const before = await last();
      await expect.poll(last).not.toBe(before);
    } finally {
      await client.end();
    }
  }

  test('cancel jobs that the other started', async () => {
    for (const [one, other] of pairs()) {
      const job = clip({ latency: 60_000 });
      await start(one, job);
      const init = { method: 'DELETE', headers: { authorization: `Bearer ${keys.render}` } };
      expect((await fetchJson(`${other.url}/api/v1/render/jobs/${job.id}`, init)).status).toBe(200);
      for (const node of nodes()) {
        expect(await endAt(node, job.id)).toMatchObject({ status: 'failed', error: 'Cancelled by its owner' });
      }
    }
  });

  test('open data that the other sealed and stored', async () => {
    for (const [one, other] of pairs()) {
      // 0.1.0 does not know tags, which this version adds by default.
      const tags = one === newApi ? '&embed=none' : '';
      const request = `/p5/v3/video/details?videoId=xlab2&renderableFormats=lowres${tags}`;
      const { body } = await extract<Result>(`${one.url}${request}`);
      const config = body.contents?.[0]?.renderableVideos?.[0]?.renderConfig;
      const started = await fetchJson<StartedJob>(at(other, config?.executionUrl));
      expect(started.status).toBe(202);
      expect(await endAt(one, started.body.jobId)).toMatchObject({ status: 'done' });

      const stored = await post<{ executionUrl: string }>(`${one.url}/api/v1/render/cache`, clip());
      expect((await fetchJson<StartedJob>(at(other, stored.body.executionUrl))).status).toBe(202);

      const list = '/p1/v3/playlist?playlistId=PLnjd5uX9KfBXznMBgXO3INBCCJ2vzonJR';
      const [token] = membersCalled('nextToken', (await extract<Result>(`${one.url}${list}`)).body);
      const page = async (node: RunningProcess) => {
        const response = await extract<Result>(`${node.url}${list}&nextToken=${token}`);
        expect(response.status).toBe(200);
        return idsOn(response.body.metadata);
      };
      expect(await page(other)).toEqual(await page(one));

      const media = '/p1/v3/video/details?videoId=lab-plain30&urlAccess=proxied&fields=contents';
      const [item] = (await extract<Result>(`${one.url}${media}`)).body.contents?.[0]?.videos ?? [];
      const response = await fetch(at(other, item?.url));
      expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([
        200,
        item?.metadata.content_length,
      ]);
    }
  });

  /** Sends a request to the admin API of the new version. */
  async function admin<Body>(method: string, path: string, body?: object): Promise<Body> {
    const headers = {
      authorization: `Bearer ${adminToken}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
    };
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
    return (await fetchJson<Body>(`http://127.0.0.1:${settings.ADMIN}${path}`, init)).body;
  }

  test('both accept keys that the new version creates, replaces or moves to its key hash secret', async () => {
    const statusOn = async ({ url }: RunningProcess, key: string) =>
      (await extract(`${url}/p1/v3/search/suggestions?query=keys`, key)).status;
    const statuses = (key: string) => Promise.all(nodes().map((node) => statusOn(node, key)));
    // The nodes of 0.1.0 created the keys of the tests, which the new version has moved.
    expect(await statuses(keys.MEGA)).toEqual([200, 200]);
    const isMoved = (id: string) => onDatabase('select 1 from api_keys where id = $1 and key_hash is not null', id);
    const { id, key } = await admin<{ id: string; key: string }>('POST', '/admin/keys', { plan: 'MEGA' });
    expect(await statuses(key)).toEqual([200, 200]);
    // As if 0.1.0 had created it.
    await onDatabase('update api_keys set key_hash = null where id = $1', id);
    const replaced = await admin<{ key: string }>('POST', `/admin/keys/${id}/rotate`, { graceSeconds: 600 });
    expect(await statuses(key)).toEqual([200, 200]);
    expect(await statuses(replaced.key)).toEqual([200, 200]);
    expect(await isMoved(id)).toHaveLength(1);
    await admin('DELETE', `/admin/keys/${id}`);
    await expect.poll(() => statuses(replaced.key)).toEqual([403, 403]);
  });

  test('add up the credits of their requests', async () => {
    const { id, key } = await admin<{ id: string; key: string }>('POST', '/admin/keys', { plan: 'MEGA' });
    const requests = Array.from({ length: 40 }, (_, count) => nodes()[count % 2]).flatMap((node) => node ?? []);
    const responses = await Promise.all(
      requests.map(({ url }, count) => extract(`${url}/p1/v3/search/suggestions?query=mill${count}`, key)),
    );
    expect(responses.map(({ status }) => status)).toEqual(requests.map(() => 200));
    const usage = async () => (await admin<{ usage: unknown[] }>('GET', `/admin/keys/${id}`)).usage[0];
    // Reserved credits are settled with the next request, or a moment later.
    await expect.poll(usage).toMatchObject({ credits: requests.length, requests: requests.length });
  });

  test('complete a job of a killed worker of 0.1.0 at a worker of this version', async () => {
    const job = clip({ throttle: 4_000 });
    await start(oldApi, job);
    await expect.poll(() => waitForLog(oldWorker.output(), job.id, 'job taken up')).toBe(true);
    await oldWorker.kill();
    newWorker = await startNode('new', 'worker');
    expect(await endAt(oldApi, job.id)).toMatchObject({ status: 'done' });
    expect(waitForLog(newWorker.output(), job.id, 'job taken up')).toBe(true);
  });

  test('complete jobs that either started, at a worker of this version', async () => {
    for (const node of nodes()) await expectDone(node, clip());
  });

  test('deliver each webhook once, whichever starts its job', async () => {
    const webhook = { url: `https://${receiverHost}/render`, secret: 'whsec_c2l4dGVlbiBieXRlcyBvciBtb3Jl' };
    const jobs = nodes().map((node) => ({ node, job: clip({}, { webhook }) }));
    for (const { node, job } of jobs) await start(node, job);
    const notifiedJobs = () => receiver.received.map(({ event }) => event.job_id ?? '').sort();
    await expect.poll(notifiedJobs).toEqual(jobs.map(({ job }) => job.id).sort());
  });

  test('both report why a job failed', async () => {
    const job = clip({ status: 404 });
    await start(oldApi, job);
    const [before, now] = [await endAt(oldApi, job.id), await endAt(newApi, job.id)];
    expect(before.error).toBe(now.error);
    expect(now).toMatchObject({ status: 'failed', error_code: expect.any(String), input: 0 });
  });

  test('a node of 0.1.0 that restarts reports that the database is of a newer version', async () => {
    await expect(startNode('old', 'api')).rejects.toThrow(/The database has schema \d+/);
  });

  test('the database can be returned to 0.1.0 as documented, and upgraded again', async () => {
    const [giveBack = '', upgrade = ''] = await documentedCommands('how-to/upgrade.md', 'Roll back');
    await newApi.stop();
    // The worker's row remains in the database, and may belong to a version that reads later formats.
    await newWorker.kill();
    await onDatabase('update workers set reads = 2');
    await onDatabase(
      `insert into late_webhooks (job_id, owner, delivery_id, target, due_at, attempts)
       values ('gone', 'me', gen_random_uuid(), 'sealed', now() + interval '1 hour', 1)`,
    );
    await onDatabase(giveBack);
    const whole = await startNode('old', 'api,render,worker');
    const [job, deleted] = [clip(), clip()];
    for (const each of [job, deleted]) {
      await start(whole, each);
      expect(await endAt(whole, each.id)).toMatchObject({ status: 'done' });
    }
    await onDatabase(
      `insert into render_webhooks (job_id, owner, target, state, due_at)
       values ($1, 'me', 'sealed', 'pending', now() + interval '1 hour')`,
      deleted.id,
    );
    await onDatabase('delete from render_jobs where id = $1', deleted.id);
    expect(await onDatabase('select job_id from late_webhooks')).toEqual([]);
    expect(await onDatabase('select max(reads) as reads from workers')).toEqual([{ reads: 1 }]);

    await Promise.all([whole.stop(), oldApi.stop()]);
    await onDatabase(upgrade);
    const again = await startNode('new', 'api,render,worker');
    expect(await endAt(again, job.id)).toMatchObject({ status: 'done', error: null });
    expect(
      await onDatabase(`select tgname from pg_trigger where tgname like 'render_jobs%' and tgenabled = 'D'`),
    ).toEqual([]);
  });
});
