import { afterAll, beforeAll, expect, test } from 'vitest';
import { readRecordings } from '../../../test/support/recordings.ts';
import type { Lab } from '../../lab.ts';
import { fetchThrough, startTestLab } from '../../testing.ts';
import { memberEdges } from '../member-edges.ts';
import { under } from '../youtube/testing.ts';
import { dataOf, desktop, phone } from './testing.ts';
import { documentedId } from './world/scenarios.ts';

// Every member that the lab writes must occur in a recorded response.

const recordings = readRecordings('p4');

/** Members that no recording contains; they are known from other programs that read the site. */
const exceptions = /^textExtra\.user(?:Id|UniqueId)\b/;

/** The parts of a page that contain its subject. */
const parts = ['webapp.video-detail', 'webapp.reflow.video.detail', 'webapp.user-detail', 'videoDetail', 'commentList'];

let lab: Lab;
beforeAll(async () => {
  lab = await startTestLab();
});
afterAll(() => lab.close());

/** Returns which members below a name are numbers, and which are numbers as text. */
function kindsOf(responses: readonly object[], node: string): Set<string> {
  const kinds = new Set<string>();
  for (const value of under(responses, node)) addKinds(value, node, kinds);
  return kinds;
}

function addKinds(value: unknown, parent: string, kinds: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'number') kinds.add(`${parent}.${name} is a number`);
    if (typeof member === 'string' && /^\d+$/.test(member)) kinds.add(`${parent}.${name} is a number in text`);
    addKinds(member, Array.isArray(value) ? parent : name, kinds);
  }
}

function recordedTexts(): string[] {
  return [...recordings].filter(([name]) => /\.(?:html|json)(?:\.gz)?$/.test(name)).map(([, text]) => text);
}

async function labPages(): Promise<object[]> {
  const posts = (...numbers: number[]) =>
    numbers.map((number) => `https://www.tiktok.com/@_/video/${documentedId(number)}`);
  const addresses = [
    // No recording of the page for desktops contains photos.
    ...posts(1, 7, 41).map((url) => ({ url, headers: desktop })),
    ...posts(1, 3, 4, 7, 41).map((url) => ({ url, headers: phone })),
    ...['thelab', 'theoldlab'].map((name) => ({ url: `https://www.tiktok.com/@${name}`, headers: desktop })),
  ];
  return Promise.all(
    addresses.map(async ({ url, headers }) => dataOf((await fetchThrough(lab, url, { headers })).body.toString())),
  );
}

test.skipIf(recordings.size === 0)(
  "the lab's shapes match those of the recordings",
  async () => {
    const recorded = recordedTexts().map(dataOf);
    const simulated = await labPages();
    const unknown = (name: string, mine: Set<string>, theirs: Set<string>) =>
      [...mine.difference(theirs)].filter((each) => !exceptions.test(each)).map((each) => `${name}: ${each}`);
    const recordedEdges = memberEdges(recorded, parts);
    for (const [part, mine] of memberEdges(simulated, parts)) {
      const theirs = recordedEdges.get(part) ?? new Set();
      expect([part, mine.size === 0 || theirs.size === 0]).toEqual([part, false]);
      expect(unknown(part, mine, theirs)).toEqual([]);
      expect(unknown(part, kindsOf(simulated, part), kindsOf(recorded, part))).toEqual([]);
    }
  },
  120_000,
);

test.skipIf(recordings.size === 0)('oEmbed has the members of the recorded response', async () => {
  const recorded = recordedTexts().find((text) => text.includes('"embed_product_id"'));
  const url = `https://www.tiktok.com/oembed?url=https://www.tiktok.com/@_/video/${documentedId(31)}`;
  const simulated: unknown = JSON.parse((await fetchThrough(lab, url)).body.toString());
  expect(Object.keys(Object(simulated))).toEqual(Object.keys(Object(JSON.parse(recorded ?? '{}'))));
});
