import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Flood, send } from '../support/abuse/flood.ts';
import type { Targets } from '../support/abuse/kind.ts';
import { kinds } from '../support/abuse/kinds.ts';
import type { Result } from '../support/envelope.ts';
import { describeJob, extract, post, run, type StartedJob } from '../support/http-client.ts';
import { labFile, openGate } from '../support/lab-client.ts';
import { canMeasureStalls, MAX_STALL_MS, openStallMeter, type StallMeter } from '../support/loop-stall.ts';
import { peakMemory } from '../support/peak-memory.ts';
import { type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';
import { sendRaw } from '../support/raw-request.ts';
import { isShortForm } from '../support/short-form.ts';

/*
 * What one client without a key can do to the others. Other tests show what such requests get; here, each kind comes in
 * a flood, and the service must keep responding to everyone else.
 */

const MOST_MEMORY_MB = 150;
/** Health checks over new connections during a flood that does not end by itself. */
const CHECKS = 20;
const attacker = '127.0.0.2';
const user = '127.0.0.3';

const lab = inject('labUrl');
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: RunningProcess;
let targets: Targets;
let meter: StallMeter;
/** Token of the input that keeps a job running. */
let heldInput: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  // All loopback addresses but this one are then ordinary clients, with the limits of the defaults.
  service = await startService(lab, folder.path, { TRUSTED_PROXIES: '127.0.0.99' });
  targets = await collect();
  if (canMeasureStalls) meter = await openStallMeter(service);
});
afterAll(async () => {
  await meter?.close();
  await openGate(lab, heldInput);
  await service.kill();
  await folder.delete();
});

async function collect(): Promise<Targets> {
  const { url } = labFile('/media/amber-30/movie-360.mp4');
  const { output } = await run(service.url, describeJob('no_process', [{ url, ext: 'mp4' }], 'mp4'));
  const held = labFile('/media/amber-30/movie-360.mp4', { gate: 1 });
  const job = describeJob('convert_format', [{ url: held.url, ext: 'mp4' }], 'mp4');
  heldInput = held.token;
  await post<StartedJob>(`${service.url}/api/v1/render/execute`, job);
  const path = (link = '') => link.replace(service.url, '');
  return {
    assets: [...(await assetsOf('/')), ...(await assetsOf('/docs'))],
    file: path(output?.url),
    receipt: path(output?.receipt ?? ''),
    relay: path((await contentsOf('videoId=lab-plain30&urlAccess=proxied'))?.videos?.[0]?.url),
    relayedPlaylist: path((await contentsOf('videoId=lab-live-on&urlAccess=proxied'))?.videos?.[0]?.url),
    execution: path(
      (await contentsOf('videoId=lab-plain30&renderableFormats=lowres'))?.renderableVideos?.[0]?.renderConfig
        ?.executionUrl,
    ),
    job: job.id,
  };
}

async function contentsOf(query: string) {
  return (await extract<Result>(`${service.url}/p1/v3/video/details?${query}`)).body.contents?.[0];
}

async function assetsOf(page: string): Promise<readonly string[]> {
  const html = await (await fetch(service.url + page)).text();
  return [...new Set(html.match(/(?<=(?:src|href)="\.?)\/assets\/[^"]+/g))];
}

async function checkHealth(): Promise<void> {
  expect((await sendRaw(service.url, { method: 'GET', target: '/health', from: user })).status).toBe(200);
}

async function checkOften(): Promise<void> {
  for (let count = 0; count < CHECKS; count += 1) await checkHealth();
}

/** Sends a flood, and expects that the service responds to everyone else meanwhile. */
async function endure(name: string, request: string, flood: Flood): Promise<void> {
  // Loads and compiles what the first such request needs.
  const ending = flood.ending === undefined ? 'read' : 'reset';
  await send(service.url, attacker, request, { times: 1, ending }, async () => undefined);
  let responses = 0;
  let peak = 0;
  const { processor, wall, pings, failures } = await meter.measure(async () => {
    const growth = await peakMemory(service, async () => {
      [responses] = await Promise.all([send(service.url, attacker, request, flood, checkOften), checkHealth()]);
    });
    peak = Math.max(peak, growth);
  });
  if (process.env.SHOW !== undefined) {
    const costs = `${processor.toFixed(0)} ms (${wall.toFixed(0)} ms of wall time), ${peak.toFixed(0)} MB`;
    process.stdout.write(`${name}: ${costs}, ${responses} responses, ${pings} pings\n`);
  }
  expect.soft(processor).toBeLessThanOrEqual(MAX_STALL_MS);
  expect.soft(failures).toEqual([]);
  expect.soft(peak).toBeLessThanOrEqual(MOST_MEMORY_MB);
  // Otherwise the service has received less than the flood.
  if (flood.ending === undefined && flood.closes !== true) expect(responses).toBeGreaterThan(flood.times);
}

/** Returns a flood that is a tenth as long, from a tenth of the connections. */
function shorten({ times, connections = 1, rounds = 1, ...flood }: Flood): Flood {
  const tenth = (count: number) => Math.ceil(count / 10);
  return { ...flood, times: tenth(times), connections: tenth(connections), rounds: tenth(rounds) };
}

describe.skipIf(!canMeasureStalls)('the service responds to others (needs /proc)', () => {
  test.each(kinds)('during a short flood of %s', async (name, requestOf, flood) => {
    await endure(name, requestOf(targets), shorten(flood));
  });

  // These take minutes.
  describe.skipIf(isShortForm)('in the size of a real attack', { tags: ['long'] }, () => {
    test.each(kinds)('during a flood of %s', async (name, requestOf, flood) => {
      await endure(name, requestOf(targets), flood);
    });
  });
});
