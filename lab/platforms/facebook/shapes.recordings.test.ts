import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readRecordings } from '../../../test/support/recordings.ts';
import type { Lab } from '../../lab.ts';
import { addMembers, startTestLab } from '../../testing.ts';
import { browse, type PageResult, resultsOf } from './testing.ts';

// Every member that the lab writes in these operations must occur in a recorded page.

const recordings = readRecordings('p3');

/** One page of the lab for each recorded operation. */
const operations = {
  FBReelsRootWithEntrypointQuery: '/reel/770000000000001',
  CometSinglePostDialogContentQuery: '/thelab/posts/880000000000001',
  ProfileCometHeaderQuery: '/thelab',
  ProfilePlusCometLoggedOutRootQuery: '/thelab',
  ProfileCometTimelineFeedQuery: '/thelab',
  ProfileCometAboutAppSectionQuery: '/thelab/about',
  ProfileCometTopAppSectionQuery: '/thelab/photos',
  CometProfilePlusVideosRootQuery: '/thelab/videos',
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

function recordedFolder(folder: string): { name: string; text: string }[] {
  return [...recordings]
    .filter(([name]) => path.dirname(name) === folder && /\.html\.gz$|\.json$/.test(name))
    .map(([name, text]) => ({ name: path.basename(name), text }));
}

const dataOf = (responses: readonly PageResult[]) => responses.map(({ result }) => result.data);

test.skipIf(recordings.size === 0)(
  "the lab's shapes match those of the recordings",
  async () => {
    const pages = recordedFolder('tamnd__facebook-cli');
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

test.skipIf(recordings.size === 0)('the reels tab has the shape that other programs described in 2026-10', async () => {
  const [shape] = recordedFolder('shapes');
  const described = JSON.parse(shape?.text ?? '{}') as { page_result: { data: unknown } };
  const all = addMembers(described.page_result.data, '', new Set());
  const pages = recordedFolder('tamnd__facebook-cli');
  addMembers(dataOf(pages.flatMap(({ text }) => resultsOf(text))), '', all);
  const simulated = resultsOf((await browse(lab, '/thelab/reels/')).body.toString());
  const tab = simulated.filter(({ operation }) => operation === 'ProfileCometTopAppSectionQuery');
  expect(tab).toHaveLength(1);
  expect([...addMembers(dataOf(tab), '', new Set()).difference(all)]).toEqual([]);
});
