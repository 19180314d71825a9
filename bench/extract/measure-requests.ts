import { extract } from '../../test/support/http-client.ts';
import { pidOf, type RunningProcess, startLab, startService, temporaryFolder } from '../../test/support/processes.ts';
import { cpuOf, formatSpread, median, percentile, printLine } from '../measure.ts';

/** Milliseconds that each call to the source takes. */
const SOURCE_LATENCY_MS = 50;
const REQUESTS_PER_ROUND = 20;
const PARALLEL = 200;

/**
 * Paths of many requests for video details, by platform. Each entry resolves with a function that returns the path for
 * an index.
 */
const requestPaths: Readonly<Record<string, (service: RunningProcess) => Promise<(index: number) => string>>> = {
  p1: async (service) => {
    const ids = await findVideos(service);
    // The transcript language has no effect here, but prevents cache hits.
    return (index) => `/p1/v3/video/details?videoId=${ids[index % ids.length]}&transcriptLanguage=${index}`;
  },
  // The lab returns an ordinary video for any such ID.
  p5: async () => (index) => `/p5/v3/video/details?videoId=xbench${index}`,
};

interface Target {
  readonly service: RunningProcess;
  /** Returns the URL of a request that was not sent before, as long as the lab has enough videos. */
  next(): string;
}

/** Requests video details one after the other, which shows how long a caller waits. */
export function measureLatency(platform: string, rounds: number): Promise<void> {
  return withTarget(platform, async (stand) => {
    const times = await inSequence(stand, rounds * REQUESTS_PER_ROUND);
    const target = platform === 'p1' ? ' (target 70)' : '';
    printLine(
      `${platform} video/details, ${SOURCE_LATENCY_MS} ms a call to the source: ${formatSpread(times, 1)} ms${target}`,
    );
  });
}

/** Sends many concurrent requests to one process. */
export function measureParallel(platform: string, rounds: number): Promise<void> {
  return withTarget(platform, async (stand) => {
    const pid = pidOf(stand.service);
    const before = await cpuOf(pid);
    const count = rounds * REQUESTS_PER_ROUND;
    await inSequence(stand, count);
    const cpu = ((await cpuOf(pid)) - before) / count;
    const limit = 200 + PARALLEL * cpu * 1000;
    for (let round = 0; round < rounds; round += 1) {
      const outcomes = await Promise.allSettled(Array.from({ length: PARALLEL }, () => timedRequest(stand)));
      const times = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
      const p99 = percentile(times, 0.99).toFixed(0);
      printLine(
        `${platform} ${PARALLEL} concurrent requests: ${PARALLEL - times.length} errors, median ${median(times).toFixed(0)} ms, ` +
          `p99 ${p99} ms (target ${limit.toFixed(0)}: 200 and ${PARALLEL} times ${(cpu * 1000).toFixed(1)} ms of CPU)`,
      );
    }
  });
}

async function withTarget(platform: string, measure: (stand: Target) => Promise<void>): Promise<void> {
  const lab = await startLab({ LAB_LATENCY: String(SOURCE_LATENCY_MS) });
  const folder = await temporaryFolder();
  try {
    const service = await startService(lab.url, folder.path, { LOG_LEVEL: 'error' });
    try {
      const path = await requestPaths[platform]?.(service);
      if (path === undefined) throw new Error(`platform ${platform} has no requests to measure`);
      let requestCount = 0;
      const stand: Target = {
        service,
        next() {
          requestCount += 1;
          return service.url + path(requestCount);
        },
      };
      await inSequence(stand, REQUESTS_PER_ROUND);
      await measure(stand);
    } finally {
      await service.stop();
    }
  } finally {
    await lab.stop();
    await folder.delete();
  }
}

async function inSequence(stand: Target, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) times.push(await timedRequest(stand));
  return times;
}

/** Returns the milliseconds that a request takes. Throws if the response is an error. */
async function timedRequest({ next }: Target): Promise<number> {
  const url = next();
  const startedAt = performance.now();
  const { status, body } = await extract<{ error: { message: string } | null }>(url);
  const duration = performance.now() - startedAt;
  if (status !== 200 || body.error !== null) throw new Error(`${url} failed: ${body.error?.message ?? status}`);
  return duration;
}

/** Searches p1 for ordinary videos. */
async function findVideos(service: RunningProcess): Promise<readonly string[]> {
  const { body } = await extract<{
    metadata: { additionalData?: { searchResults?: { results: { type: string; id: string }[] } } };
  }>(`${service.url}/p1/v3/search/video?query=bench`);
  const results = body.metadata.additionalData?.searchResults?.results ?? [];
  const ids = results.filter(({ type }) => type === 'video').map(({ id }) => id);
  if (ids.length === 0) throw new Error('The search of p1 returned no videos to measure with.');
  return ids;
}
