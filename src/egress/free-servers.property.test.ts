import ipaddr from 'ipaddr.js';
import { afterAll, expect, test } from 'vitest';
import { startFreeServer } from '../../lab/freedom/server.ts';
import { MillraceError } from '../contract/errors.ts';
import { propertyRuns } from '../testing/property-runs.ts';
import { seededRandom } from '../testing/seeded-random.ts';
import { createEgress } from './create-egress.ts';
import { fetchBody } from './fetch-body.ts';

const servers = propertyRuns(900);
const firstSeed = Number(process.env.FIRST_SEED ?? 1);

const egress = createEgress({ EGRESS_ALLOW: [ipaddr.parseCIDR('127.0.0.1/32')], EGRESS_CONNECT_TO: [] });
afterAll(() => egress.close());

/** Fetches a file several times from the server of a seed, with either client. Returns the outcome of each. */
async function fetchFrom(seed: number): Promise<string[]> {
  const random = seededRandom(seed);
  const size = Math.floor(random() ** 2 * 300_000);
  const versions = [1, 2].map((number) => ({
    number,
    bytes: Buffer.from(Array.from({ length: size + number }, (_, at) => (at * 31 * number) % 251)),
  }));
  const [first, second] = versions;
  if (first === undefined || second === undefined) throw new Error('there are two versions');
  const server = await startFreeServer(random, [first, second]);
  const outcomes: string[] = [];
  try {
    for (let request = 0; request < 4; request += 1) {
      const reuse = random() < 0.5 ? ({ allowBufferReuse: true } as const) : {};
      const options = {
        url: server.url,
        signal: AbortSignal.timeout(60_000),
        headTimeout: 20_000,
        idleTimeout: 20_000,
      };
      try {
        const { status, body } = await fetchBody(egress, { ...options, ...reuse }, 1_000_000);
        if (status !== 200) outcomes.push(String(status));
        else if (versions.some(({ bytes }) => bytes.equals(body)) || isEmptyFault(server.character.faults, body)) {
          outcomes.push('exact');
        } else throw new Error(`${body.length} wrong bytes`);
      } catch (error) {
        if (!(error instanceof MillraceError)) {
          throw new Error(`seed ${seed}: ${JSON.stringify(server.character)}`, { cause: error });
        }
        outcomes.push(error.code);
      }
    }
  } finally {
    await server.close();
  }
  return outcomes;
}

/** Whether the server sent an empty body with status 200 in place of the file. */
function isEmptyFault(
  faults: Awaited<ReturnType<typeof startFreeServer>>['character']['faults'],
  body: Buffer,
): boolean {
  return body.length === 0 && faults.some((fault) => fault.kind === 'status' && fault.status === 200);
}

test('a body from any server is whole, or the exchange fails', async () => {
  const outcomes: Record<string, number> = {};
  for (let seed = firstSeed; seed < firstSeed + servers; seed += 1) {
    for (const outcome of await fetchFrom(seed)) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  if (process.env.SHOW !== undefined) process.stdout.write(`${JSON.stringify(outcomes)}\n`);
  expect(outcomes.exact).toBeGreaterThan(2 * servers);
});
