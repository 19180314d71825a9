import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Result } from '../../test/support/envelope.ts';
import { extract } from '../../test/support/http-client.ts';
import { deathsOf, mediaRequestsFor, turnOff, turnOn } from '../../test/support/lab-links.ts';
import { startLab, startService, temporaryFolder } from '../../test/support/processes.ts';
import { renderItem } from '../../test/support/render-item.ts';
import { formatSpread, median, printLine } from '../measure.ts';

/** The lab's video of 1.04 GB. */
const item = 'lab-1-giga0';
/** Its two inputs, as itags of the site and files of the lab. */
const inputs = [
  { itag: 136, file: 'video-720.mp4', deaths: [0.3, 0.7] },
  { itag: 140, file: 'audio.mp4', deaths: [0.5] },
] as const;

/** Time limit for generating the media, in milliseconds. */
const GENERATION_TIMEOUT_MS = 600_000;

interface Run {
  /** Seconds from the start call to the finished file. */
  readonly wall: number;
  /** Bytes that the lab sent, divided by the size of the inputs. */
  readonly bytes: number;
}

/** Names of the rows, in order. */
export const healRows: readonly string[] = ['join'];

/** Joins 1 GB whose links die three times, alternating with the same join whose links live. */
export async function healBench(rounds: number): Promise<void> {
  const lab = await startLab({ LAB_CACHE: join('data', 'bench', 'lab') });
  try {
    const sizes: number[] = [];
    for (const { file } of inputs) sizes.push(await generate(`${lab.url}/media/giant-2100/${file}`));
    const runs = { dying: [] as Run[], living: [] as Run[] };
    for (let round = 0; round < rounds; round += 1) {
      runs.living.push(await measure(lab.url, sizes, false));
      runs.dying.push(await measure(lab.url, sizes, true));
    }
    printLine('1 GB DASH video + audio to MP4 whose links die three times, against the same with links that live');
    const ratios = (what: keyof Run) => runs.dying.map((run, index) => run[what] / (runs.living[index]?.[what] ?? 0));
    const seconds = (of: readonly Run[]) => median(of.map(({ wall }) => wall)).toFixed(2);
    printLine(`  wall: ${formatSpread(ratios('wall'))}   (${seconds(runs.dying)} s against ${seconds(runs.living)} s)`);
    const parts = (of: readonly Run[]) =>
      formatSpread(
        of.map(({ bytes }) => bytes),
        4,
      );
    printLine(`  bytes sent by the site, relative to the inputs: ${parts(runs.dying)} (target 1.02)`);
    printLine(`  the same with links that live: ${parts(runs.living)}`);
  } finally {
    await lab.stop();
  }
}

/** Has the lab generate a file, and returns its size. */
async function generate(url: string): Promise<number> {
  const response = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(GENERATION_TIMEOUT_MS) });
  return Number(response.headers.get('content-length'));
}

/** Measures one render. Each has its own service, because a service remembers whose links were refused. */
async function measure(labUrl: string, sizes: readonly number[], isDying: boolean): Promise<Run> {
  const folder = await temporaryFolder('data');
  const service = await startService(labUrl, folder.path, { LOG_LEVEL: 'error' });
  try {
    const before = await bytesSent(labUrl);
    const { body } = await extract<Result>(`${service.url}/p1/v3/video/details?videoId=${item}&renderableFormats=720p`);
    if (isDying) {
      for (const [index, { itag, deaths }] of inputs.entries()) {
        const at = deaths.map((part) => Math.floor(part * (sizes[index] ?? 0))).join(',');
        await turnOn(labUrl, 'p1', 'dies', { item, file: itag, at, times: deaths.length });
      }
    }
    const startedAt = performance.now();
    const { error, output } = await renderItem(body.contents?.[0]?.renderableVideos?.[0]);
    const wall = (performance.now() - startedAt) / 1000;
    if (output === null) throw new Error(`a job of the benchmark failed: ${error}`);
    const deaths = await deathsOf(labUrl, item);
    if (isDying && deaths !== 3) throw new Error(`${deaths} links died; 3 should have`);
    await turnOff(labUrl, item);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    return { wall, bytes: ((await bytesSent(labUrl)) - before) / total };
  } finally {
    await service.stop();
    await folder.delete();
  }
}

/** Returns the bytes of the inputs that the lab has sent, once no connection sends any more. */
async function bytesSent(labUrl: string): Promise<number> {
  let last = -1;
  for (;;) {
    const requests = (await Promise.all(inputs.map(({ itag }) => mediaRequestsFor(labUrl, item, itag)))).flat();
    const sum = requests.reduce((bytes, request) => bytes + request.bytesSent, 0);
    if (sum === last) return sum;
    last = sum;
    await delay(200);
  }
}
