import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Result } from '../support/envelope.ts';
import { describeJob, extract, post, type StartedJob } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';
import { keys, type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';
import { stack } from '../support/storage-stack.ts';

const CONNECTIONS = 4;
const JOBS = 3;
const CREDITS = 10;
const RATE = 2;
const wide = { credits: 1e9, requestsPerSecond: 1e6, startsPerSecond: 1e6, jobsAtOnce: 1e6 };
const plans = {
  BASIC: { ...wide, requestsPerSecond: RATE },
  PRO: { ...wide, credits: CREDITS },
  ULTRA: wide,
  MEGA: { ...wide, jobsAtOnce: JOBS },
};

// The nodes share a database and a store.
describe.skipIf(stack !== 'postgres+s3')('two nodes of one service', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let nodes: RunningProcess[];

  beforeAll(async () => {
    folder = await temporaryFolder();
    const settings = {
      ROLES: 'api,render',
      RELAY_CONNECTIONS: String(CONNECTIONS),
      PLAN_LIMITS: JSON.stringify(plans),
    };
    // Both start on an empty database.
    nodes = await Promise.all(
      ['one', 'two'].map((name) =>
        startService(inject('labUrl'), folder.path, { ...settings, DATA_DIR: join(folder.path, name) }),
      ),
    );
  });
  afterAll(async () => {
    for (const node of nodes) await node.stop();
    await folder.delete();
  });

  /** Calls a function the given number of times concurrently, alternating between the nodes. */
  const onBoth = <T>(times: number, work: (url: string) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: times }, (_, index) => work(nodes[index % nodes.length]?.url ?? '')));
  const details = (key: string) => async (url: string) =>
    (await extract<Result>(`${url}/p5/v3/video/details?videoId=xlab2`, key)).body.error?.code ?? 'ok';
  const count = (outcomes: readonly (string | number)[], outcome: string | number) =>
    outcomes.filter((each) => each === outcome).length;

  test('grant the credits of a key once', async () => {
    const outcomes = await onBoth(40, details(keys.PRO));
    expect([count(outcomes, 'ok'), count(outcomes, 'quota_exceeded')]).toEqual([CREDITS, 40 - CREDITS]);
  });

  test('share the request rate of a key', async () => {
    const startedAt = performance.now();
    const outcomes = await onBoth(40, details(keys.BASIC));
    const seconds = (performance.now() - startedAt) / 1_000;
    expect(count(outcomes, 'ok')).toBeGreaterThanOrEqual(RATE);
    expect(count(outcomes, 'ok')).toBeLessThanOrEqual(RATE + Math.ceil(seconds * RATE));
    expect(count(outcomes, 'ok') + count(outcomes, 'rate_limited')).toBe(40);
  });

  test('share the limit of unfinished jobs of a key', async () => {
    const inputs = [{ url: labFile('/media/amber-2/movie-360.mp4').url, ext: 'mp4' }];
    const outcomes = await onBoth(40, async (url) => {
      const job = describeJob('convert_format', inputs, 'mp4');
      return (await post<StartedJob>(`${url}/api/v1/render/execute`, job, keys.render)).status;
    });
    expect([count(outcomes, 202), count(outcomes, 429)]).toEqual([JOBS, 40 - JOBS]);
  });

  test('share the limit of relay connections of a key', async () => {
    const [one] = nodes;
    // Connections to this media stay open until the test closes them.
    const url = `${one?.url}/p1/v3/video/details?videoId=lab-med-end&urlAccess=proxied&fields=contents`;
    const { body } = await extract<Result>(url, keys.ULTRA);
    const stalled = body.contents?.[0]?.videos?.find(({ label }) => label === '144p');
    const path = new URL(stalled?.url ?? '').pathname;
    const responses = await onBoth(20, (url) => fetch(url + path));
    const statuses = responses.map(({ status }) => status);
    expect([count(statuses, 200), count(statuses, 429)]).toEqual([CONNECTIONS, 20 - CONNECTIONS]);
    for (const { body } of responses) await body?.cancel();
    // Closed connections are released within seconds, on any node.
    await expect
      .poll(async () => (await onBoth(CONNECTIONS, (url) => head(url + path))).sort())
      .toEqual(Array(CONNECTIONS).fill(200));
  });

  const head = async (url: string) => (await fetch(url, { method: 'HEAD' })).status;
});
