/** @module-tag long */

import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { millrace } from '../support/command-line.ts';
import { environmentOf } from '../support/environment.ts';
import { freePort } from '../support/free-port.ts';
import { fetchJson } from '../support/http-client.ts';
import { labProbeNames, labProbes, writeProbes } from '../support/lab-probes.ts';
import { type RunningProcess, startLab, temporaryFolder } from '../support/processes.ts';

/** The probes that each drift of the lab affects. */
const affectedProbes: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  p1: {
    entries: ['lab-search', 'lab-channel-videos', 'lab-comments'],
    containers: ['lab-search', 'lab-channel-videos', 'lab-comments'],
    streams: ['lab-video'],
    player: ['lab-video'],
  },
  p2: { files: ['lab-reel'], counts: ['lab-profile'] },
  p3: { ids: ['lab-reel', 'lab-profile'], files: ['lab-reel'] },
  p4: { scopes: ['lab-post', 'lab-user'], files: ['lab-post'] },
  p5: { qualities: ['lab-video'] },
  p6: { pins: ['lab-pin'], files: ['lab-pin'] },
};

const execute = promisify(execFile);
const platforms = Object.keys(labProbes);

interface Report {
  readonly verdict: string;
  readonly date: string;
  readonly probes: readonly {
    readonly platform: string;
    readonly probe: string;
    readonly strategy?: string;
    readonly endpoint: string;
    readonly verdict: string;
    readonly problems: readonly {
      readonly kind: string;
      readonly message: string;
      readonly [member: string]: unknown;
    }[];
  }[];
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
/** Not the shared lab, because these tests change its sites. */
let lab: RunningProcess;
let probesFile: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  lab = await startLab();
  probesFile = await writeProbes(folder.path, labProbes);
});
afterAll(async () => {
  await lab.stop();
  await folder.delete();
});

const quick = ['--pause', '0', '--wait', '0'];

/** Runs `millrace probe` with the file of probes of the lab, and only those. */
const probe = (words: readonly string[] = [], { file = probesFile, target = lab.url, only = labProbeNames } = {}) =>
  millrace(['probe', ...words, '--probes', file, '--only', only, ...quick], {
    env: { EGRESS_CONNECT_TO: `*=${target}`, EGRESS_PACE: 'off' },
    cwd: folder.path,
  });

async function report(words: readonly string[] = [], options: Parameters<typeof probe>[1] = {}) {
  const { code, stdout } = await probe([...words, '--json'], options);
  return { code, report: JSON.parse(stdout) as Report };
}

/** Writes a file with one probe for each of the named items. */
async function fileWith(name: string, probes: unknown) {
  return { file: await writeProbes(folder.path, probes, name) };
}

const drift = (query: string) => fetch(`${lab.url}/_lab/drift?${query}`, { method: 'POST' });

describe('millrace probe', () => {
  test('exits with 0 and prints a table if every probe works', async () => {
    const { code, stdout, stderr } = await probe(['p1', 'p5']);
    expect(stdout).toMatch(/^PLATFORM +PROBE +STRATEGY +VERDICT +PROBLEM\n/);
    expect(stdout).toMatch(/^p5 +lab-video +.*works$/m);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^Probes to run: \d+\./)]);
  });

  test('reports the verdict on every probe and strategy as JSON', async () => {
    const { code, report: result } = await report();
    expect(result).toMatchObject({ verdict: 'works', date: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) });
    expect(code).toBe(0);
    for (const [platform, probes] of Object.entries(labProbes)) {
      for (const { name, endpoint } of probes) {
        const found = result.probes.filter((each) => each.platform === platform && each.probe === name);
        expect(found.length, `${platform} ${name}`).toBeGreaterThan(0);
        for (const each of found) expect(each).toMatchObject({ endpoint, verdict: 'works', problems: [] });
      }
    }
  });

  test('requests the start of media, a later part, and that part again', async () => {
    const { code } = await report(['p1'], { only: 'lab-video' });
    expect(code).toBe(0);
    const { body } = await fetchJson<{ requests: { host: string; range: string | null }[] }>(
      `${lab.url}/_lab/requests`,
    );
    const ranges = body.requests.filter(({ host }) => host.endsWith('googlevideo.com')).map(({ range }) => range);
    const laterRanges = ranges.filter((range) => range !== null && !range.startsWith('bytes=0-'));
    expect(ranges).toContain('bytes=0-65535');
    expect(laterRanges.length).toBeGreaterThan(0);
    for (const later of laterRanges) expect(ranges.filter((range) => range === later).length).toBeGreaterThan(1);
  });

  test.each([
    ['an unknown platform', ['p9'], {}, /The platform p9 does not exist\. Platforms: p1, p2, p3, p4, p5, p6\./],
    ['an unknown name', [], { only: 'lab-vidoe' }, /No probe matches the selection\. Probes: .*p5 lab-video/],
    ['a missing file', [], { file: 'nowhere.json' }, /nowhere\.json cannot be read/],
  ])('exits with 2 for %s', async (_what, words, options, message) => {
    const { code, stderr } = await probe(words, options);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  test('exits with 2 for a file of probes that is not valid, and names the wrong member', async () => {
    const options = await fileWith('invalid.json', { p5: [{ name: 'lab-video', endpoint: '/video/details' }] });
    const { code, stderr } = await probe([], options);
    expect([code, stderr]).toEqual([2, expect.stringContaining('p5.0.parameters is required')]);
  });
});

describe('millrace probe against a site that has changed', () => {
  test('the test knows every drift of the lab', async () => {
    const { body } = await fetchJson<{ drifts: Record<string, object> }>(`${lab.url}/_lab/catalogue`);
    const namesOf = (table: Readonly<Record<string, object>>) =>
      Object.entries(table).flatMap(([platform, drifts]) => Object.keys(drifts).map((name) => `${platform} ${name}`));
    expect(namesOf(body.drifts).toSorted()).toEqual(namesOf(affectedProbes).toSorted());
  });

  // One run tests one drift of each platform.
  const runs = Math.max(...Object.values(affectedProbes).map((drifts) => Object.keys(drifts).length));
  test.each(
    Array.from({ length: runs }, (_, run) =>
      platforms.flatMap((platform) => {
        const name = Object.keys(affectedProbes[platform] ?? {})[run];
        return name === undefined ? [] : [`${platform}=${name}`];
      }),
    ).map((drifts) => [drifts.join('&'), drifts] as const),
  )('%s: is drifting, and exits with 6', async (query, drifts) => {
    await drift(query);
    const { code, report: result } = await report(drifts.map((each) => each.slice(0, 2)));
    await drift('');
    expect([code, result.verdict]).toEqual([6, 'drifting']);
    for (const [platform = '', name = ''] of drifts.map((each) => each.split('='))) {
      for (const affected of affectedProbes[platform]?.[name] ?? []) {
        const found = result.probes.filter((each) => each.platform === platform && each.probe === affected);
        const drifting = found.filter(({ verdict }) => verdict === 'drifting');
        expect(drifting, `${platform} ${affected} with ${name}: ${JSON.stringify(found)}`).not.toEqual([]);
        for (const { problems } of drifting) expect(problems).not.toEqual([]);
      }
    }
  });
});

describe('millrace probe against a site that refuses', () => {
  const video = (name: string, videoId: string, media = true) => ({
    name,
    endpoint: '/video/details',
    parameters: { videoId },
    expects: ['metadata.title'],
    media,
  });

  test('is refused, says why, and exits with 7', async () => {
    const probes = {
      p1: [video('lab-a', 'lab-private'), video('lab-b', 'lab-http429', false), video('lab-c', 'lab-med-403')],
      p2: [
        { ...video('lab-d', ''), endpoint: '/media/post/details', parameters: { shortcode: 'lab-gone404' } },
        {
          ...video('lab-e', ''),
          endpoint: '/media/post/details',
          parameters: { shortcode: 'lab-http503' },
          media: false,
        },
      ],
      p5: [video('lab-f', 'xlabmeta429'), video('lab-g', 'xnotfound1')],
    };
    const { file } = await fileWith('refusals.json', probes);
    const { code, report: result } = await report([], { file, only: 'lab-a,lab-b,lab-c,lab-d,lab-e,lab-f,lab-g' });
    const others = result.probes.filter(({ verdict }) => verdict !== 'refused');
    // The site refuses the files of this video, but not its playlists.
    expect(others).toMatchObject([{ probe: 'lab-c', strategy: 'VISIONOS_HLS', verdict: 'works' }]);
    expect([code, result.verdict]).toEqual([7, 'refused']);
    const problemsOf = (name: string) => result.probes.find((each) => each.probe === name)?.problems ?? [];
    expect(problemsOf('lab-c')[0]).toMatchObject({ kind: 'media', part: 'start', status: 403, bytes: 0 });
    expect(problemsOf('lab-g')[0]).toMatchObject({
      code: 'not_found',
      message: expect.stringMatching(/replace the item of this probe\.$/),
    });
  });
});

describe('millrace probe without a response', () => {
  test('is unreachable, and exits with 7', async () => {
    const target = `http://127.0.0.1:${await freePort()}`;
    const { code, report: result } = await report(['p5', 'p6'], { target });
    expect(new Set(result.probes.map(({ verdict }) => verdict))).toEqual(new Set(['unreachable']));
    expect([code, result.verdict]).toEqual([7, 'unreachable']);
  });
});

describe('millrace probe --record', () => {
  let target: string;

  beforeAll(async () => {
    target = join(folder.path, 'recordings');
    await drift('p5=qualities');
    const { code } = await report(['p2', 'p5', 'p6', '--record', target]);
    await drift('');
    expect(code).toBe(6);
  });

  test('saves the probe and every response', async () => {
    const path = join(target, 'p5', 'probes', 'lab-video.player');
    const { expects, pages, ...probe } = JSON.parse(await readFile(join(path, 'probe.json'), 'utf8'));
    expect(probe).toMatchObject({ platform: 'p5', endpoint: '/video/details', parameters: { videoId: 'xlab30' } });
    expect(JSON.parse(await unpacked(join(path, '1.json.gz')))).toMatchObject({
      source: { tool: 'millrace' },
      request: { method: 'GET', url: expect.stringContaining('xlab30') },
      response: { status: 200, body: { id: 'xlab30', qualitiesNext: expect.anything() } },
    });
  });

  test('saves no cookies', async () => {
    const files = (await readdir(join(target, 'p2'), { recursive: true })).filter((name) => name.endsWith('.gz'));
    const texts = await Promise.all(files.map((name) => unpacked(join(target, 'p2', name))));
    const cookies = [...texts.join('\n').matchAll(/csrftoken=(\w+)/g)].map(([, value]) => value);
    expect(cookies.length).toBeGreaterThan(0);
    for (const cookie of cookies) expect(cookie).toMatch(/^[a_]+$/);
  });

  test('saves them where the tests read them, and the tests name what has changed', async () => {
    const words = ['run', '--project', 'unit', 'src/probe/probe-recordings.test.ts', '--reporter=verbose'];
    const env = environmentOf({ RECORDINGS_DIR: target, NO_COLOR: '1' });
    const { stdout, code } = await execute(process.execPath, [join('node_modules', 'vitest', 'vitest.mjs'), ...words], {
      env,
    }).then(
      ({ stdout }) => ({ stdout, code: 0 }),
      (error: { stdout: string; code: number }) => error,
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(/✓ .* p6 lab-pin\.page has every/);
    expect(stdout).toMatch(/× .* p5 lab-video\.player has every/);
    expect(stdout).not.toMatch(/× .* p[26] /);
  });
});

async function unpacked(path: string): Promise<string> {
  return gunzipSync(await readFile(path)).toString();
}
