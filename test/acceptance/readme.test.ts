// What the README tells people to copy is run as it stands there, by the shell, against the service under test.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { readMarkdown } from '../../scripts/markdown.ts';
import { shell } from '../support/command-line.ts';
import { inspect } from '../support/media.ts';
import { keys, temporaryFolder } from '../support/processes.ts';

const root = new URL('../../', import.meta.url);
const readme = await readFile(new URL('README.md', root), 'utf8');
const contributing = await readFile(new URL('CONTRIBUTING.md', root), 'utf8');

/** Sections whose commands are run here; a reader runs them in a folder of the project, where `data/` is. */
const tour = ['With curl', 'From the command line', 'A job of your own', 'When something goes wrong'];

const serviceUrl = inject('serviceUrl');
let cwd: string;
let remove: () => Promise<void>;

beforeAll(async () => {
  ({ path: cwd, delete: remove } = await temporaryFolder());
});

afterAll(() => remove());

/** The commands of a section, with the service under test in the place of the one that the demo leaves running. */
function commandsOf(section: string): string {
  const blocks = readMarkdown(readme).commands.filter(({ heading }) => heading === section);
  expect(blocks.length).toBeGreaterThan(0);
  return blocks
    .map(({ text }) => text)
    .join('\n')
    .replaceAll('http://127.0.0.1:8080', serviceUrl)
    .replaceAll('demo-render-key', keys.render)
    .replaceAll('demo-key', keys.MEGA)
    .replaceAll('npm run --silent millrace --', 'millrace')
    .replaceAll('data/film.mp4', 'film.mp4');
}

async function run(section: string): Promise<string> {
  const { code, stdout, stderr } = await shell(`set -e\n${commandsOf(section)}`, { cwd });
  expect(code, stderr).toBe(0);
  return stdout;
}

async function kindsOf(file: string): Promise<string[]> {
  const { tracks } = await inspect(await readFile(join(cwd, file)));
  return tracks.map(({ kind }) => kind).toSorted();
}

describe('the tour of the README', () => {
  test('fetches a file with curl', async () => {
    const output = await run('With curl');
    expect(output).toContain('"status":"done"');
    const saved = (await readdir(cwd)).filter((name) => name.endsWith('.mp4'));
    expect(saved).toHaveLength(1);
    expect(await kindsOf(saved[0] ?? '')).toEqual(['audio', 'video']);
  });

  test('fetches a file with the command line', async () => {
    const output = await run('From the command line');
    expect(output).toContain('720p');
    expect(output.trimEnd().split('\n').at(-1)).toBe('film.mp4');
    expect(await kindsOf('film.mp4')).toEqual(['audio', 'video']);
  });

  test('makes a file of links', async () => {
    const output = await run('A job of your own');
    const [, url = ''] = /(https?:\/\/[^"\s]+\/files\/\S+)/.exec(output) ?? [];
    await writeFile(join(cwd, 'own.mp4'), Buffer.from(await (await fetch(url)).arrayBuffer()));
    expect(await kindsOf('own.mp4')).toEqual(['audio', 'video']);
  });

  test('shows an error as it is', async () => {
    const [, sample = ''] = /^```json\n(.*?)^```$/ms.exec(readme) ?? [];
    expect(JSON.parse(await run('When something goes wrong'))).toMatchObject(JSON.parse(sample));
  });
});

test('every other command of the README is one that CONTRIBUTING tells to run by hand', () => {
  const others = readMarkdown(readme).commands.filter(({ heading }) => !tour.includes(heading));
  const commands = readMarkdown(contributing).commands.filter(({ heading }) => heading === 'By hand');
  const linesOf = (blocks: typeof commands) =>
    blocks.flatMap(({ text }) => text.split('\n').map((line) => line.split(' # ', 1).join('').trim()));
  expect(linesOf(others).filter((line) => !linesOf(commands).includes(line))).toEqual([]);
  expect(linesOf(others).length).toBeGreaterThan(4);
});
