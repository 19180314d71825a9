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
import { linkOf } from './links/input-link.ts';
import { fixedLink } from './links/source-link.ts';
import { createSizeGuards } from './size-guard.ts';
import { createBytes } from './testing/downloads.ts';

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

/** Downloads a file from the server of a seed. Returns the outcome: `exact`, or the code of the error. */
async function downloadFrom(seed: number): Promise<string> {
  const random = seededRandom(seed);
  const size = 1 + Math.floor(random() ** 2 * 120_000);
  const other = createBytes(size + 1 + Math.floor(random() * 100)).reverse();
  const versions = [
    { bytes: createBytes(size), number: 1 },
    { bytes: other, number: 2 },
  ] as const;
  const server = await startFreeServer(random, versions);
  const path = join(folder, String(seed));
  try {
    const job = parseJob({
      id: 'job',
      inputs: [{ url: server.url, ext: 'bin' }],
      output: { ext: 'bin' },
      operation: { type: 'no_process' },
    });
    const [input] = job.inputs;
    const [sizeGuard] = createSizeGuards(job);
    if (input === undefined || sizeGuard === undefined) throw new Error('the job has no input');
    const chunks = {
      type: random() < 0.2 ? ('query' as const) : ('header' as const),
      concurrency: 1 + Math.floor(random() * 3),
      size: 200 + Math.floor(random() * size),
    };
    const downloaded = await downloadFile({
      source: {
        egress,
        link: fixedLink(linkOf(input)),
        rangeType: chunks.type,
        name: 'Input 1',
        allowsPage: true,
        pause: async () => undefined,
        signal: AbortSignal.timeout(20_000),
        onFailure: () => undefined,
      },
      sizeGuard,
      onBytes: () => undefined,
      chunks,
      path,
      subject: seed,
    });
    const bytes = await readFile(path);
    const isExact = versions.some((version) => version.bytes.equals(bytes)) && downloaded.size === bytes.length;
    if (!isExact) throw new Error(`wrong: ${describeServer(seed, server)}`);
    return 'exact';
  } catch (error) {
    if (!(error instanceof MillraceError))
      throw new Error(`no reason: ${describeServer(seed, server)}`, { cause: error });
    expect(error.message).toMatch(/Input 1/);
    return error.code;
  } finally {
    await server.close();
    await rm(path, { force: true });
    await rm(`${path}.journal`, { force: true });
  }
}

function describeServer(seed: number, { character, requests }: Awaited<ReturnType<typeof startFreeServer>>): string {
  return `seed ${seed}, ${JSON.stringify(character)}, ${JSON.stringify(requests.slice(0, 20))}`;
}

test('a file from any server is exact, or the error names the reason', async () => {
  const outcomes: Record<string, number> = {};
  for (let seed = firstSeed; seed < firstSeed + servers; seed += 1) {
    const outcome = await downloadFrom(seed);
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  if (process.env.SHOW !== undefined) process.stdout.write(`${JSON.stringify(outcomes)}\n`);
  expect(outcomes.exact).toBeGreaterThan(servers / 2);
});
