/** @module-tag long */

// Runs the commands of the README and of the tutorials unchanged, in a shell, against the service under test.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { readMarkdown } from '../../scripts/markdown.ts';
import { shell } from '../support/command-line.ts';
import { fetchJson } from '../support/http-client.ts';
import { inspect } from '../support/media.ts';
import { keys, startService, temporaryFolder } from '../support/processes.ts';

const root = new URL('../../', import.meta.url);
const readme = await readFile(new URL('README.md', root), 'utf8');
const tutorial = await readFile(new URL('docs/tutorials/first-job.md', root), 'utf8');
const contributing = await readFile(new URL('CONTRIBUTING.md', root), 'utf8');

/** Sections of the README that are run here. Readers run them in the project folder, which contains `data/`. */
const tour = ['Call the API', 'Use the command line'];

/** Maximum milliseconds for the commands of a section, which make up to sixteen files. */
const SECTION_MS = 300_000;

let serviceUrl: string;
let cwd: string;
let end: () => Promise<void>;

beforeAll(async () => {
  const [folder, data] = [await temporaryFolder(), await temporaryFolder()];
  // A service on which many requests have failed adds a note about that to its responses.
  const service = await startService(inject('labUrl'), data.path);
  [serviceUrl, cwd] = [service.url, folder.path];
  end = async () => {
    await service.kill();
    await folder.delete();
    await data.delete();
  };
  await mkdir(join(cwd, 'data'));
});

afterAll(() => end());

/** Returns the commands of a section, against the service under test instead of the demo's. */
function commandsOf(section: string, page: string): string {
  const blocks = readMarkdown(page).commands.filter(({ heading }) => heading === section);
  expect(blocks.length).toBeGreaterThan(0);
  return blocks
    .map(({ text }) => text)
    .join('\n')
    .replaceAll('http://127.0.0.1:8080', serviceUrl)
    .replaceAll('demo-render-key', keys.render)
    .replaceAll('demo-key', keys.MEGA)
    .replaceAll('npm run --silent millrace --', 'millrace');
}

async function run(section: string, page = readme): Promise<string> {
  const { code, stdout, stderr } = await shell(`set -e\n${commandsOf(section, page)}`, { cwd, timeout: SECTION_MS });
  expect(code, stderr).toBe(0);
  return stdout;
}

async function kindsOf(file: string): Promise<string[]> {
  const { tracks } = await inspect(await readFile(join(cwd, 'data', file)));
  return tracks.map(({ kind }) => kind).toSorted();
}

/** Returns the first JSON sample of a page, which accepts any request ID. */
function errorSampleOf(page: string) {
  const [, sample = ''] = /^```json\n(.*?)^```$/ms.exec(page) ?? [];
  const { error, ...others } = JSON.parse(sample);
  expect(error.requestId).toMatch(/^[\da-f-]{36}$/);
  return { ...others, error: { ...error, requestId: expect.stringMatching(/^[\da-f-]{36}$/) } };
}

describe('the README', () => {
  test('fetches a file with curl', async () => {
    const output = await run('Call the API');
    expect(output).toContain('"status":"done"');
    const saved = (await readdir(join(cwd, 'data'))).filter((name) => name.endsWith('.mp4'));
    expect(saved).toHaveLength(1);
    expect(await kindsOf(saved[0] ?? '')).toEqual(['audio', 'video']);
  });

  test('fetches a file with the command line', { timeout: SECTION_MS }, async () => {
    const output = await run('Use the command line');
    expect(output).toContain('720p');
    const files = output.split('\n').flatMap((line) => /^data\/(.+)$/.exec(line)?.[1] ?? []);
    // The ten of a playlist are in their own folder.
    const playlist = files.filter((file) => file.startsWith('films/'));
    expect(playlist).toHaveLength(10);
    const others = files.filter((file) => !playlist.includes(file));
    expect(others.map((file) => file.split('.').at(-1))).toEqual(['mp4', 'mp4', 'mp3', 'mp4', 'mp4', 'mp4']);
    expect(await Promise.all([...playlist, ...others].map(kindsOf))).toEqual([
      ...Array.from({ length: 12 }, () => ['audio', 'video']),
      ['audio'],
      ...Array.from({ length: 3 }, () => ['audio', 'video']),
    ]);
  });
});

test('the README shows all members of the response to a request for a removed video', async () => {
  const headers = { 'x-marketplace-key': keys.MEGA, 'x-marketplace-host': 'localhost', 'cache-control': 'no-cache' };
  const { body } = await fetchJson(`${serviceUrl}/p1/v3/video/details?videoId=lab-removed`, { headers });
  expect(body).toEqual(errorSampleOf(readme));
});

describe('the first job tutorial', () => {
  test('renders a file from links', async () => {
    const output = await run('Start a job', tutorial);
    const [, url = ''] = /(https?:\/\/[^"\s]+\/files\/\S+)/.exec(output) ?? [];
    await writeFile(join(cwd, 'data', 'own.mp4'), Buffer.from(await (await fetch(url)).arrayBuffer()));
    expect(await kindsOf('own.mp4')).toEqual(['audio', 'video']);
  });

  test('shows all members of the error that the service returns', async () => {
    const { error } = JSON.parse(await run('See an error', tutorial));
    expect({ error }).toEqual(errorSampleOf(tutorial));
  });
});

test('the README has only commands that run here or that CONTRIBUTING lists to run by hand', () => {
  const others = readMarkdown(readme).commands.filter(({ heading }) => !tour.includes(heading));
  const commands = readMarkdown(contributing).commands.filter(({ heading }) => heading === 'By hand');
  const linesOf = (blocks: typeof commands) =>
    blocks.flatMap(({ text }) => text.split('\n').map((line) => line.split(' # ', 1).join('').trim()));
  expect(linesOf(others).filter((line) => !linesOf(commands).includes(line))).toEqual([]);
  expect(linesOf(others).length).toBeGreaterThan(4);
});
