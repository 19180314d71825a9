import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ipaddr from 'ipaddr.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFreeServer } from '../../../lab/freedom/server.ts';
import { MillraceError } from '../../contract/errors.ts';
import { parseJob } from '../../contract/parse-job.ts';
import { createEgress } from '../../egress/create-egress.ts';
import { propertyRuns } from '../../testing/property-runs.ts';
import { seededRandom } from '../../testing/seeded-random.ts';
import { downloadFile } from './download-file.ts';
import { downloadHls } from './download-hls.ts';
import { linkOf } from './links/input-link.ts';
import { fixedLink } from './links/source-link.ts';
import { createSizeGuards } from './size-guard.ts';
import { RangesUnsupported, SourceChanged } from './source-request.ts';
import { createBytes } from './testing/downloads.ts';
import { startOrigin } from './testing/origin.ts';

/** Number of servers that the whole test meets. */
const servers = propertyRuns(600);
const firstSeed = Number(process.env.FIRST_SEED ?? 1);

const egress = createEgress({ EGRESS_ALLOW: [ipaddr.parseCIDR('127.0.0.1/32')], EGRESS_CONNECT_TO: [] });
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-free-'));
});
afterAll(async () => {
  await egress.close();
  await rm(folder, { recursive: true, force: true });
});

/** The server of a seed, and the versions of its file. */
async function openServer(seed: number) {
  const random = seededRandom(seed);
  const size = 1 + Math.floor(random() ** 2 * 120_000);
  const other = createBytes(size + 1 + Math.floor(random() * 100)).reverse();
  const versions = [
    { bytes: createBytes(size), number: 1 },
    { bytes: other, number: 2 },
  ] as const;
  return { random, size, versions, server: await startFreeServer(random, versions) };
}

/** Returns the source of a job's only input. */
function sourceOf(url: string, rangeType: 'header' | 'query', ext: string) {
  const output = { ext: 'mp4' };
  const job = parseJob({ id: 'job', inputs: [{ url, ext }], output, operation: { type: 'convert_format' } });
  const [input] = job.inputs;
  const [sizeGuard] = createSizeGuards(job);
  if (input === undefined || sizeGuard === undefined) throw new Error('the job has no input');
  const source = {
    egress,
    link: fixedLink(linkOf(input)),
    rangeType,
    name: 'Input 1',
    allowsPage: true,
    pause: async () => undefined,
    signal: AbortSignal.timeout(60_000),
    onFailure: () => undefined,
  };
  return { source, sizeGuard };
}

/** Returns the code of the error with which a download failed. */
function reasonOf(error: unknown, seed: number, server: Awaited<ReturnType<typeof startFreeServer>>): string {
  if (!(error instanceof MillraceError)) {
    throw new Error(`no reason: ${describeServer(seed, server)}`, { cause: error });
  }
  expect(error.message).toMatch(/input 1/i);
  return error.code;
}

/** Downloads segments that are ranges of a file from the server of a seed, as an HLS playlist lists them. */
async function downloadSegmentsFrom(seed: number): Promise<string> {
  const { random, size, versions, server } = await openServer(seed);
  const ends = Array.from({ length: 1 + Math.floor(random() * 5) }, () => 1 + Math.floor(random() * size));
  const ranges = [...new Set([0, ...ends])].toSorted((a, b) => a - b);
  const lines = ranges.slice(1).flatMap((end, index) => {
    const from = ranges[index] ?? 0;
    return ['#EXTINF:4,', `#EXT-X-BYTERANGE:${end - from}@${from}`, server.url];
  });
  const playlist = ['#EXTM3U', '#EXT-X-TARGETDURATION:4', ...lines, '#EXT-X-ENDLIST'].join('\n');
  const origin = await startOrigin({ '/list': (_request, response) => void response.writeHead(200).end(playlist) });
  const stem = join(folder, `segments-${seed}`);
  try {
    const { source, sizeGuard } = sourceOf(`${origin.url}/list`, 'header', 'm3u8');
    const { files } = await downloadHls({
      source,
      sizeGuard,
      concurrency: 1 + Math.floor(random() * 3),
      stem,
      subject: seed,
      onProgress: () => undefined,
      onFiles: () => undefined,
      onFileProgress: () => undefined,
    });
    const path = files[0]?.parts[0]?.path ?? '';
    const bytes = await readFile(path);
    await rm(path);
    const end = ranges.at(-1) ?? 0;
    const isExact = versions.some((version) => version.bytes.subarray(0, end).equals(bytes));
    if (!isExact) throw new Error(`wrong: ${describeServer(seed, server)}`);
    return 'exact';
  } catch (error) {
    if (error instanceof RangesUnsupported || error instanceof SourceChanged) return error.name;
    return reasonOf(error, seed, server);
  } finally {
    await server.close();
    await origin.close();
  }
}

/** Downloads a file from the server of a seed. Returns the outcome: `exact`, or the code of the error. */
async function downloadFrom(seed: number): Promise<string> {
  const { random, size, versions, server } = await openServer(seed);
  const path = join(folder, String(seed));
  try {
    const chunks = {
      type: random() < 0.2 ? ('query' as const) : ('header' as const),
      concurrency: 1 + Math.floor(random() * 3),
      size: 200 + Math.floor(random() * size),
    };
    const { source, sizeGuard } = sourceOf(server.url, chunks.type, 'bin');
    const downloaded = await downloadFile({ source, sizeGuard, onBytes: () => undefined, chunks, path, subject: seed });
    const bytes = await readFile(path);
    const isExact = versions.some((version) => version.bytes.equals(bytes)) && downloaded.size === bytes.length;
    if (!isExact) throw new Error(`wrong: ${describeServer(seed, server)}`);
    return 'exact';
  } catch (error) {
    return reasonOf(error, seed, server);
  } finally {
    await server.close();
    await rm(path, { force: true });
    await rm(`${path}.journal`, { force: true });
  }
}

function describeServer(seed: number, { character, requests }: Awaited<ReturnType<typeof startFreeServer>>): string {
  return `seed ${seed}, ${JSON.stringify(character)}, ${JSON.stringify(requests.slice(0, 20))}`;
}

test.each([
  ['a file', downloadFrom],
  ['the segments of a playlist', downloadSegmentsFrom],
])('%s from any server is exact, or the error names the reason', async (_what, download) => {
  const outcomes: Record<string, number> = {};
  for (let seed = firstSeed; seed < firstSeed + servers; seed += 1) {
    const outcome = await download(seed);
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  if (process.env.SHOW !== undefined) process.stdout.write(`${JSON.stringify(outcomes)}\n`);
  expect(outcomes.exact).toBeGreaterThan(servers / 2);
});
