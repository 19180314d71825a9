import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { useClock, withoutPauses } from '#client/testing/without-pauses.ts';
import { isShortForm } from '../../test/support/short-form.ts';
import { propertyRuns } from '../testing/property-runs.ts';
import { seededRandom } from '../testing/seeded-random.ts';
import { type CommandProcess, runCommandLine } from './run-command-line.ts';
import { type Mutation, mutate, mutationsOf } from './testing/hostile-values.ts';
import { fileBytes, type HostileCase, hostileCases, hostileService } from './testing/right-responses.ts';

const key = 'key-of-the-caller';
/** Characters that a terminal acts on, or that reorder text. */
const unsafe = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'millrace-hostile-'));
  const job = {
    inputs: [{ url: 'https://cdn.example/a.mp4', ext: 'mp4' }],
    output: { ext: 'mp4' },
    operation: { type: 'convert_format' },
  };
  await writeFile(join(root, 'job.json'), JSON.stringify(job));
  vi.stubEnv('MILLRACE_URL', hostileService);
  vi.stubEnv('MILLRACE_KEY', key);
  vi.stubEnv('MILLRACE_RENDER_KEY', key);
  vi.stubEnv('XDG_CONFIG_HOME', join(root, 'none'));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(root, { recursive: true });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Answers requests as the service does, and everything else with the bytes of a file. */
function serve(responses: Readonly<Record<string, unknown>>, requests: Request[]) {
  vi.stubGlobal('fetch', async (input: string | URL, init: RequestInit = {}) => {
    init.signal?.throwIfAborted();
    const url = new URL(input);
    if (!/^https?:$/.test(url.protocol)) throw new TypeError('fetch failed');
    // The constructor refuses what fetch refuses.
    requests.push(new Request(url, { headers: init.headers ?? {}, method: init.method ?? 'GET' }));
    const [path, response] = Object.entries(responses).find(([begin]) => url.pathname.startsWith(begin)) ?? [];
    if (url.origin !== hostileService || path === undefined) return new Response(fileBytes);
    const text = JSON.stringify(response) ?? '';
    if (path.includes('/status/')) return new Response(`data: ${text}\n\n`);
    return new Response(text, { headers: { 'content-type': 'application/json' } });
  });
}

/** What a command has done. */
interface Outcome {
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** Everything in the folder of the tests. */
  readonly files: readonly string[];
  readonly requests: readonly Request[];
}

async function run({ words, responses }: HostileCase): Promise<Outcome> {
  const folder = join(root, 'work');
  await mkdir(join(folder, 'out'), { recursive: true });
  const requests: Request[] = [];
  serve(responses, requests);
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end();
  const texts = Promise.all([buffer(stdout), buffer(stderr)]);
  const streams = { stdin, stdout, stderr } as unknown as CommandProcess;
  const command = words.map((word) =>
    word.replace(/^out\//, `${folder}/out/`).replace(/^job\.json$/, join(root, word)),
  );
  const code = await withoutPauses(runCommandLine(command, { ...streams, env: process.env, on: () => process }));
  stdout.end();
  stderr.end();
  const [out = '', error = ''] = (await texts).map(String);
  const files = await readdir(root, { recursive: true });
  await rm(folder, { recursive: true });
  return { code, stdout: out, stderr: error, files, requests };
}

/** Returns everything about an outcome that breaks a promise. */
function faultsOf({ code, stdout, stderr, files, requests }: Outcome, isJson: boolean): string[] {
  const text = isJson ? stderr : stderr + stdout;
  return [
    ...(typeof code === 'number' ? [] : ['it has no exit code']),
    ...(/bug in Millrace|\n {4}at /.test(stderr) ? [`it reports a bug: ${stderr.slice(0, 500)}`] : []),
    ...(unsafe.test(stdout + stderr) ? ['it prints control characters'] : []),
    ...(/undefined|NaN|\[object /.test(text) ? [`it prints ${text.slice(0, 500)}`] : []),
    ...files
      .filter((path) => !/^(?:job\.json|work|work\/out(?:\/.*)?)$/.test(path))
      .map((path) => `it writes to ${path}, outside its folder`),
    ...files
      .filter((path) => unsafe.test(path) || /(?:^|\/)(?:con|aux)(?:\.|$)|\.(?:exe|html)$/i.test(path))
      .map((path) => `it names a file ${JSON.stringify(path)}`),
    ...requests
      .filter(
        ({ url, headers }) => new URL(url).origin !== hostileService && [...headers.values()].join().includes(key),
      )
      .map(({ url }) => `it sends the key to ${url}`),
  ];
}

const check = async (hostileCase: HostileCase) =>
  faultsOf(await run(hostileCase), hostileCase.words.includes('--json'));
const nameOf = ({ words, responses }: HostileCase) => `${words.join(' ')} (${Object.keys(responses).join(', ')})`;
const named = hostileCases.map((hostileCase, index) => [nameOf(hostileCase), hostileCase, index] as const);

test.each(named)('%s keeps its promises with right responses', async (_name, hostileCase) => {
  await useClock();
  expect(await check(hostileCase)).toEqual([]);
});

describe('a video whose type is that of a program or a page', () => {
  const [found] = hostileCases.filter(
    ({ words }) => words.join(' ') === 'get lab-plain30 --quality 720p --output out/',
  );
  const fetchAs = async (type: string, output: string) => {
    await useClock();
    const responses = JSON.parse(JSON.stringify(found?.responses).replaceAll('video/mp4', type));
    const { stderr, files } = await run({
      words: ['get', 'lab-plain30', '--quality', '720p', '--output', output],
      responses,
    });
    return { stderr, names: files.filter((path) => path.startsWith('work/out/')) };
  };

  test.each([
    'application/x-msdownload',
    'application/x-sh',
    'application/java-archive',
    'application/x-perl',
    'text/html',
    'image/svg+xml',
  ])('is saved with the extension bin and a warning: %s', async (type) => {
    const { stderr, names } = await fetchAs(type, 'out/');
    expect(names).toEqual([expect.stringMatching(/^work\/out\/[^.]+\.bin$/)]);
    expect(stderr).toContain(`may not be media: the service states the type ${type}.`);
  });

  test.each(['out/film.mp4', 'out/film.exe'])('gets the name that the user gives it: %s', async (output) => {
    const { stderr, names } = await fetchAs('application/x-msdownload', output);
    expect(names).toEqual([`work/${output}`]);
    expect(stderr).not.toContain('may not be media');
  });
});

/** Returns a case for each mutation of each response. */
function* hostileVariants(hostileCase: HostileCase): Generator<readonly [Mutation, HostileCase], void, void> {
  for (const [path, response] of Object.entries(hostileCase.responses)) {
    for (const mutation of mutationsOf(response, path.includes('/status/') ? ['status'] : [])) {
      const responses = { ...hostileCase.responses, [path]: mutate(response, mutation) };
      yield [
        { ...mutation, name: `${path}: ${mutation.name}` },
        { ...hostileCase, responses },
      ];
    }
  }
}

async function findFaults(hostileCase: HostileCase, isChosen: () => boolean): Promise<string[]> {
  const faults: string[] = [];
  for (const [{ name }, variant] of hostileVariants(hostileCase)) {
    if (!isChosen()) continue;
    faults.push(...(await check(variant)).map((fault) => `${name}: ${fault}`));
    if (faults.length > 20) break;
  }
  return faults;
}

describe.each(named)('%s', (_name, hostileCase, index) => {
  test('never reports a bug, hangs, leaves its folder or prints control characters, whatever the service sends', async () => {
    await useClock();
    const random = seededRandom(index);
    const total = [...hostileVariants(hostileCase)].length;
    const share = propertyRuns(24) / total;
    expect(await findFaults(hostileCase, () => random() < share)).toEqual([]);
  });

  test.skipIf(isShortForm)('never does, with each hostile value of each member', { tags: ['long'] }, async () => {
    await useClock();
    expect(await findFaults(hostileCase, () => true)).toEqual([]);
  });
});
