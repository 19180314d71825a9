/** @module-tag long */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { channelOf } from '../../lab/platforms/youtube/world/channels.ts';
import { type Video, videoAt } from '../../lab/platforms/youtube/world/videos.ts';
import type { Result } from '../support/envelope.ts';
import { extract } from '../support/http-client.ts';
import { fetchThroughLab } from '../support/lab-client.ts';
import { deathsOf, turnOff, turnOn } from '../support/lab-links.ts';
import { contentsOf } from '../support/media.ts';
import { type RunningProcess, startLab, startService, temporaryFolder } from '../support/processes.ts';
import { randomNumbers } from '../support/random-numbers.ts';
import { bytesOf, renderItem } from '../support/render-item.ts';

/** DYING_LINKS=200 is the long run. With this seed, every outcome occurs among the first 20. */
const count = Number(process.env.DYING_LINKS ?? 20);
const AT_ONCE = 8;
const SEED = 20_261_126;
/** Maximum number of replacements per input. */
const REPLACEMENTS = 2;
/** The channel with a thousand videos. */
const CHANNEL = 5;
/** The itags of the inputs. */
const inputs = { video: 136, audio: 140 } as const;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
/** The test's own lab, whose links it breaks. */
let lab: RunningProcess;
let service: RunningProcess;

beforeAll(async () => {
  folder = await temporaryFolder();
  lab = await startLab();
  service = await startService(lab.url, folder.path, {
    WORKER_CONCURRENCY: `${AT_ONCE}`,
    LOG_LEVEL: 'warn',
    // Other client profiles would be preferred soon, because links of all videos die.
    P1_CLIENTS: JSON.stringify({ mediaOrder: ['VISIONOS'] }),
  });
});
afterAll(async () => {
  await service.stop();
  await lab.stop();
  await folder.delete();
});

type Input = keyof typeof inputs;

interface Plan {
  readonly item: string;
  readonly seconds: number;
  /** Parts of each file after which its links die, in ascending order. */
  readonly deaths: Readonly<Record<Input, readonly number[]>>;
  /** Whether the platform removes the item before the job starts. */
  readonly isRemoved: boolean;
}

/** Returns the videos of the channel that are generated quickly. */
function quickVideos(): readonly Video[] {
  const channel = channelOf(CHANNEL);
  return Array.from({ length: 1000 }, (_, index) => videoAt(channel, 'video', index)).filter(
    ({ seconds, live }) => live === undefined && (seconds === 12 || seconds === 60),
  );
}

/** Plans the jobs. Some links die too often, and some items are gone when a new link is needed. */
function makePlans(): readonly Plan[] {
  const next = randomNumbers(SEED);
  return quickVideos()
    .slice(0, count)
    .map(({ id: item, seconds }) => {
      const points = (most: number) =>
        Array.from({ length: Math.floor(next() * (most + 1)) }, () => next()).toSorted((a, b) => a - b);
      return { item, seconds, deaths: { video: points(3), audio: points(2) }, isRemoved: next() < 0.15 };
    });
}

/** Returns how the job of a plan must end. */
function expectedOutcome({ deaths: { video, audio }, isRemoved }: Plan): 'done' | 'source_refused' | 'gone' {
  if (isRemoved && video.length + audio.length > 0) return 'gone';
  return video.length > REPLACEMENTS || audio.length > REPLACEMENTS ? 'source_refused' : 'done';
}

/** Returns a file of the lab's CDN, which every job of the same length needs. */
const sources = new Map<string, Promise<Buffer>>();
function source(path: string): Promise<Buffer> {
  const known =
    sources.get(path) ?? fetchThroughLab(lab.url, `https://cdn.lab.example${path}`).then(({ body }) => body);
  sources.set(path, known);
  return known;
}

async function runPlan(plan: Plan): Promise<string | undefined> {
  const { item, seconds, deaths, isRemoved } = plan;
  const what = JSON.stringify(plan);
  const originals = {
    video: await source(`/media/amber-${seconds}/video-720.mp4`),
    audio: await source(`/media/amber-${seconds}/audio.mp4`),
  };
  const { body } = await extract<Result>(`${service.url}/p1/v3/video/details?videoId=${item}&renderableFormats=720p`);
  for (const input of ['video', 'audio'] as const) {
    const at = deaths[input].map((part) => Math.floor(part * originals[input].length));
    if (at.length === 0) continue;
    await turnOn(lab.url, 'p1', 'dies', { item, file: inputs[input], at: at.join(','), times: at.length });
  }
  if (isRemoved) await turnOn(lab.url, 'p1', 'removed', { item });
  const { status, error, error_code, output } = await renderItem(body.contents?.[0]?.renderableVideos?.[0]);
  const died = await deathsOf(lab.url, item);
  await turnOff(lab.url, item);
  const expected = expectedOutcome(plan);
  if (expected !== 'done') {
    expect(status, what).toBe('failed');
    if (expected === 'gone') expect(['not_found', 'unavailable'], what).toContain(error_code);
    else expect(error_code, what).toBe('source_refused');
    return undefined;
  }
  expect(error, what).toBeNull();
  expect(died, what).toBe(deaths.video.length + deaths.audio.length);
  const result = await contentsOf(await bytesOf(output?.url));
  const [{ video }, { audio }] = [await contentsOf(originals.video), await contentsOf(originals.audio)];
  expect(result, what).toEqual({ video, audio });
  return output?.key;
}

test(`${count} jobs whose links die at random points end as they should`, { timeout: 1_200_000 }, async () => {
  const plans = makePlans();
  expect(plans).toHaveLength(count);
  expect(new Set(plans.map(expectedOutcome))).toEqual(new Set(['done', 'source_refused', 'gone']));
  const waiting = [...plans];
  const done: (string | undefined)[] = [];
  const work = async () => {
    for (let plan = waiting.shift(); plan !== undefined; plan = waiting.shift()) done.push(await runPlan(plan));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const completed = done.filter((fileKey) => fileKey !== undefined);
  expect(completed).toHaveLength(plans.filter((plan) => expectedOutcome(plan) === 'done').length);
  await expect.poll(() => readdir(join(folder.path, 'work'))).toEqual([]);
  expect((await fetch(`${service.url}/health`)).status).toBe(200);
});
