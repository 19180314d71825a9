import { createPlatforms, defaultSettings } from '../../src/platforms/index.ts';
import type { Endpoint, EndpointParameters, Extraction } from '../../src/platforms/platform.ts';
import { fakeSite } from '../../src/platforms/testing/fake-site.ts';
import { startCpuClock } from '../../src/testing/cpu-clock.ts';
import { readRecordings } from '../../test/support/recordings.ts';
import { formatSpread, median, printLine } from '../measure.ts';

/** A recorded page, and the request that returns it. */
interface PageCase {
  readonly endpoint: string;
  readonly parameters: EndpointParameters;
  readonly recording: string;
  /** Whether a request to this path receives the page. Other requests are throttled. */
  answers(path: string): boolean;
}

/** A recorded page for each platform: the largest that one of the platform's endpoints reads. */
const cases = {
  p2: {
    endpoint: '/media/post/details',
    parameters: { shortcode: 'C10MvewSSYl' },
    recording: 'zhiwei2017__crawlinsta/comments/C10MvewSSYl.html.gz',
    answers: () => true,
  },
  p3: {
    endpoint: '/post/details',
    parameters: { url: 'https://www.facebook.com/groups/1443890352589739/posts/1692512467727525' },
    recording: 'tamnd__facebook-cli/group_big.html.gz',
    answers: () => true,
  },
  p4: {
    endpoint: '/user/details',
    parameters: { url: 'https://www.tiktok.com/@illojuan' },
    recording: 'microlinkhq+metascraper/profile.html.gz',
    answers: () => true,
  },
  p6: {
    endpoint: '/pin/details',
    parameters: { pinId: '31454897393552949' },
    recording: 'komdiw+pinterest-video-downloader/pinterest_page.html.gz',
    answers: (path) => path.startsWith('/pin/'),
  },
} as const satisfies Readonly<Record<string, PageCase>>;

type MeasuredPlatform = keyof typeof cases;

/** The platforms that have such a page. */
export const measuredPlatforms = Object.keys(cases) as readonly MeasuredPlatform[];

const TARGET_MS = 15;
/** Number of times that a round reads the page. */
const READS_PER_ROUND = 20;
/** Uncounted rounds at the beginning, which include the JavaScript engine's compilation. */
const WARM_UP_ROUNDS = 3;

/**
 * Converts a recorded page from its bytes to the contract's shape, as the endpoint does for a request. Alternately, it
 * does a minimal reading of the same bytes: a regular expression finds every JSON script, and JSON.parse parses it.
 */
export async function measurePage(platform: MeasuredPlatform, rounds: number): Promise<void> {
  const page: PageCase = cases[platform];
  const text = readRecordings(platform).get(page.recording);
  if (text === undefined)
    throw new Error('Set RECORDINGS_DIR to the folder of recorded responses: this row reads one.');
  const bytes = Buffer.from(text);
  const endpoint = findEndpoint(platform, page.endpoint);
  const readPage = () => readWhole(endpoint, page, bytes);
  const { contents = [], metadata } = await readPage();
  if (contents.length === 0 && metadata.author === undefined) throw new Error(`${page.recording} could not be read.`);
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + rounds; round += 1) {
    for (let reading = 0; reading < READS_PER_ROUND; reading += 1) {
      const [own, peer] = [await cpuOf(readPage), await cpuOf(() => parseScripts(bytes.toString('utf8')))];
      if (round < WARM_UP_ROUNDS) continue;
      ours.push(own);
      theirs.push(peer);
    }
  }
  printLine(
    `${platform} ${page.endpoint}, a page of ${Math.round(bytes.length / 1000)} kB: ${formatSpread(ours, 1)} ms of CPU ` +
      `(target ${TARGET_MS}); JSON.parse of all its scripts ${formatSpread(theirs, 1)} ms, ` +
      `ratio ${(median(ours) / median(theirs)).toFixed(2)}`,
  );
}

function findEndpoint(platform: string, path: string): Endpoint {
  const { endpoints = [] } = createPlatforms(defaultSettings).find(({ id }) => id === platform) ?? {};
  const endpoint = endpoints.find((each) => each.path === path);
  if (endpoint === undefined) throw new Error(`Platform ${platform} has no endpoint ${path}.`);
  return endpoint;
}

function readWhole(endpoint: Endpoint, { parameters, answers }: PageCase, bytes: Buffer): Promise<Extraction> {
  const { context } = fakeSite(({ url }) =>
    answers(url.pathname) ? { body: bytes.toString('utf8') } : { status: 429, body: '' },
  );
  return endpoint.extract(parameters, context);
}

function parseScripts(html: string): unknown[] {
  return [...html.matchAll(/<script[^>]*>(\s*[{[][\s\S]*?)<\/script>/g)].flatMap(([, script = '']) => {
    try {
      return [JSON.parse(script) as unknown];
    } catch {
      // Some scripts that begin like JSON are programs.
      return [];
    }
  });
}

async function cpuOf(work: () => unknown): Promise<number> {
  const cpuTime = startCpuClock();
  await work();
  return cpuTime();
}
