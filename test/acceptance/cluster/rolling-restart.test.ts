import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Cluster, startCluster } from '../../support/cluster.ts';
import { describeJob, post, type StartedJob, type StatusEvent } from '../../support/http-client.ts';
import { labFile } from '../../support/lab-client.ts';
import { temporaryFolder } from '../../support/processes.ts';

const BETWEEN_JOBS_MS = 1_000;
/** Latencies of sources: some longer than the drain timeout of nodes, some shorter. */
const latencies = [8_000, 300, 1_500, 300, 2_500];
/** Milliseconds of silence after which a stream counts as broken. */
const SILENCE_MS = 10_000;
const MAX_STREAMS = 60;

/** The streams that a subscriber has opened until the end of a job. */
interface Subscription {
  readonly last: StatusEvent;
  /** Streams that ended before the job did. */
  readonly broken: readonly Stream[];
}

describe.skipIf(process.env.TEST_DATABASE_URL === undefined)('a rolling restart (needs TEST_DATABASE_URL)', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let cluster: Cluster;

  beforeAll(async () => {
    folder = await temporaryFolder();
    cluster = await startCluster(inject('labUrl'), folder.path, { DRAIN_TIMEOUT: '3' }, 'postgres');
  });
  afterAll(async () => {
    await cluster.stop();
    await folder.delete();
  });

  test('of every node under load loses no job, and each stream that ends early is reopened', async () => {
    const jobs: Promise<Subscription>[] = [];
    const restarted = new AbortController();
    const load = (async () => {
      for (let count = 0; !restarted.signal.aborted; count += 1) {
        jobs.push(startAndFollow(count));
        // Failures are reported at the end.
        jobs.at(-1)?.catch(() => undefined);
        await delay(BETWEEN_JOBS_MS);
      }
    })();
    for (const node of [...cluster.nodes, ...cluster.workers]) {
      await cluster.restart(node);
      expect(node.process.exitCode).toBe(0);
    }
    restarted.abort();
    await load;

    const all = await Promise.all(jobs);
    expect(all.map(({ last }) => last.status)).toEqual(all.map(() => 'done'));
    // A stream without an event may have reached a node that had just stopped; the others must have been closed
    // properly.
    const broken = all.flatMap((subscription) => subscription.broken).filter(({ last }) => last !== undefined);
    expect(broken.length).toBeGreaterThan(0);
    expect(new Set(broken.map(({ parting }) => parting))).toEqual(new Set(['sent away']));
    const files = new Set(all.map(({ last }) => last.output?.key));
    expect(files.size).toBe(all.length);
  });

  /** Starts jobs and follows them as a client that handles restarting nodes does. */
  async function startAndFollow(count: number): Promise<Subscription> {
    const latency = latencies[count % latencies.length] ?? 0;
    const input = { url: labFile('/media/amber-2/sound.m4a', { latency }).url, ext: 'm4a' };
    const job = describeJob('no_process', [input], 'm4a', { chunkDownload: { concurrency: 1 } });
    const { statusUrl, sseStatusUrl } = await startSurely(job);
    const broken: Stream[] = [];
    const listen = count % 2 === 0 ? overSse : overWebSocket;
    const url = count % 2 === 0 ? sseStatusUrl : statusUrl;
    for (let streams = 0; streams < MAX_STREAMS; streams += 1) {
      const stream = await listen(url);
      const { last } = stream;
      if (last?.status === 'done' || last?.status === 'failed') return { last, broken };
      if (last?.status === 'not_found') throw new Error(`${job.id} is lost`);
      broken.push(stream);
      await delay(100);
    }
    throw new Error(`${job.id} did not end: ${broken.map(({ parting }) => parting).join(', ')}`);
  }

  /** Starts a job, and retries if its connection is closed at that moment. Repeating the call is harmless. */
  async function startSurely(job: { id: string }): Promise<StartedJob> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const { status, body } = await post<StartedJob>(`${cluster.url}/api/v1/render/execute`, job);
        if (status === 202 || status === 200) return body;
        throw new Error(`${job.id} got ${status}: ${JSON.stringify(body)}`);
      } catch (error) {
        if (attempt === 5) throw error;
        await delay(100);
      }
    }
  }
});

interface Stream {
  readonly last: StatusEvent | undefined;
  /** `sent away` as expected, or a description of another end of the stream. */
  readonly parting: string;
}

async function overSse(url: string): Promise<Stream> {
  let text = '';
  let parting = 'cut';
  try {
    const { body } = await fetch(url);
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk;
    parting = /\nretry: \d+\n\n$/.test(text) ? 'sent away' : 'ended';
  } catch (error) {
    parting = `cut (${error instanceof Error ? error.message : String(error)})`;
  }
  const events = [...text.matchAll(/^data: (.*)\n\n/gm)].map(([, data = '']) => JSON.parse(data) as StatusEvent);
  return { last: events.at(-1), parting };
}

function overWebSocket(url: string): Promise<Stream> {
  const { promise, resolve } = Promise.withResolvers<Stream>();
  const socket = new WebSocket(url, { handshakeTimeout: SILENCE_MS });
  let last: StatusEvent | undefined;
  let failure = '';
  socket.on('message', (data) => {
    last = JSON.parse(String(data)) as StatusEvent;
  });
  socket.on('error', (error) => {
    failure = ` (${error.message})`;
  });
  socket.on('close', (code) => resolve({ last, parting: code === 1001 ? 'sent away' : `${code}${failure}` }));
  return promise;
}
