import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Lab } from '../../lab.ts';
import { addMembers, startTestLab } from '../../testing.ts';
import { browse, type PageResult, resultsOf } from './testing.ts';

// Every member that the lab writes in these operations must occur in a recorded page.

const { RECORDINGS_DIR } = process.env;

/** One page of the lab for each recorded operation. */
const operations = {
  FBReelsRootWithEntrypointQuery: '/reel/770000000000001',
  CometSinglePostDialogContentQuery: '/thelab/posts/880000000000001',
  ProfileCometHeaderQuery: '/thelab',
  ProfilePlusCometLoggedOutRootQuery: '/thelab',
  ProfileCometTimelineFeedQuery: '/thelab',
  ProfileCometAboutAppSectionQuery: '/thelab/about',
  ProfileCometTopAppSectionQuery: '/thelab/photos',
} as const;

/** Members that no recording contains; they are known from other programs that read the site. */
const exceptions = new Set([
  // The lab suggests a post beside the requested one; in recordings, this list is empty.
  'profile_logged_out_permalink_cards.edges',
  'edges.node',
]);

let lab: Lab;
beforeAll(async () => {
  lab = await startTestLab();
});
afterAll(() => lab.close());

async function recordedFolder(...names: readonly string[]): Promise<{ name: string; text: string }[]> {
  const folder = path.join(RECORDINGS_DIR ?? '', 'p3', ...names);
  const files = (await readdir(folder)).filter((name) => /\.html\.gz$|\.json$/.test(name));
  return Promise.all(
    files.map(async (name) => {
      const bytes = await readFile(path.join(folder, name));
      return { name, text: (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString() };
    }),
  );
}

const dataOf = (responses: readonly PageResult[]) => responses.map(({ result }) => result.data);

test.skipIf(!RECORDINGS_DIR)(
  `the lab's shapes match those in RECORDINGS_DIR (${RECORDINGS_DIR ?? 'unset'})`,
  async () => {
    const pages = await recordedFolder('tamnd__facebook-cli');
    const recorded = pages.flatMap(({ text }) => resultsOf(text));
    process.stdout.write(`Compared with ${recorded.length} answers on ${pages.length} recorded pages.\n`);
    const all = addMembers(dataOf(recorded), '', new Set());
    const unknown: string[] = [];
    for (const [operation, address] of Object.entries(operations)) {
      expect(recorded.map((response) => response.operation)).toContain(operation);
      const simulated = resultsOf((await browse(lab, address)).body.toString());
      const own = simulated.filter((response) => response.operation === operation);
      expect(own).not.toEqual([]);
      for (const edge of addMembers(dataOf(own), '', new Set()).difference(all)) {
        if (!exceptions.has(edge)) unknown.push(`${operation}: ${edge}`);
      }
    }
    expect(unknown).toEqual([]);
  },
  120_000,
);

test.skipIf(!RECORDINGS_DIR)('the reels tab has the shape that other programs described in 2026-10', async () => {
  const [shape] = await recordedFolder('shapes');
  const described = JSON.parse(shape?.text ?? '{}') as { page_result: { data: unknown } };
  const all = addMembers(described.page_result.data, '', new Set());
  const pages = await recordedFolder('tamnd__facebook-cli');
  addMembers(dataOf(pages.flatMap(({ text }) => resultsOf(text))), '', all);
  const simulated = resultsOf((await browse(lab, '/thelab/reels/')).body.toString());
  const tab = simulated.filter(({ operation }) => operation === 'ProfileCometTopAppSectionQuery');
  expect(tab).toHaveLength(1);
  expect([...addMembers(dataOf(tab), '', new Set()).difference(all)]).toEqual([]);
});
