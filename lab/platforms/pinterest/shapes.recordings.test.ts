import { expect, test } from 'vitest';
import { readRecordings } from '../../../test/support/recordings.ts';
import { pageOf } from './page.ts';
import { findPin, type Pin } from './pins.ts';
import { resourceResponse } from './rest.ts';
import { documentedId } from './scenarios.ts';

// Every member that the lab writes in a pin must occur in a recorded response.

const recordings = readRecordings('p6');

/**
 * Members that no recording of the JSON interface contains; they are known from other programs that read the site. The
 * recordings are a search, and one shortened response for a pin.
 */
const unrecordedInJson = new Set([
  ...[
    'closeup_unified_description',
    'origin_pinner',
    'aggregated_stats',
    'comment_count',
    'repin_count',
    'share_count',
  ],
  ...['is_hidden', 'is_unsafe', 'is_deleted', 'embed', 'carousel_data', 'carousel_slots', 'V_EXP7', 'originals'],
  ...['60x60', '136x136', '564x', '600x315', '1200x', 'thumbnail', 'captions_urls', 'audio', 'videos.id'],
  ...['blocks.video', 'video.video_list', 'blocks.image', 'image.images'],
]);

/** Members that no recording of a page contains. */
const unrecordedInPages = new Set(['carouselSlots', 'images_orig', 'images_736x', 'blocks.audio', 'audio.audioUrl']);

/** Returns the names of members below a node, each with the name of its nearest parent. */
function edges(value: unknown, parent: string, result = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const item of value) edges(item, parent, result);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      result.add(`${parent}.${name}`);
      edges(member, name, result);
    }
  }
  return result;
}

/** Returns the responses that a page contains, in both forms. */
function answersIn(html: string): unknown[] {
  const calls = [...html.matchAll(/COMPLETED_REQUEST__\("[^"]*",([\s\S]*?)\);?\s*<\/script>/g)];
  const scripts = [
    ...html.matchAll(/data-relay-response="true" type="application\/json">[^{]*(\{[\s\S]*?)<\/script>/g),
  ];
  return [...calls, ...scripts].map(([, text = '']) => JSON.parse(text) as unknown);
}

function rootsIn(responses: readonly unknown[]): unknown[] {
  return responses.flatMap((answer) => {
    const { data } = Object(Object(answer).response ?? answer) as { data?: object };
    return Object.entries(data ?? {}).flatMap(([name, root]) => (/^v3GetPinQuery/.test(name) ? [root] : []));
  });
}

function pin(number: number): Pin {
  const matchingPin = findPin(documentedId(number));
  if (matchingPin === undefined) throw new Error(`There is no pin ${number}.`);
  return matchingPin;
}

/**
 * Returns the members that are simulated but not recorded. A single name in `expected` covers every edge to or from it.
 */
const unknown = (simulated: Set<string>, recorded: Set<string>, expected: Set<string>) =>
  [...simulated.difference(recorded)].filter((edge) => ![edge, ...edge.split('.')].some((name) => expected.has(name)));

test.skipIf(recordings.size === 0)("the lab's shapes match those of the recordings", async () => {
  const texts = [...recordings].filter(([name]) => /\.(?:gz|json)$/.test(name)).map(([, text]) => text);
  process.stdout.write(`Compared with ${texts.length} recordings.\n`);
  const json = texts.filter((text) => text.trimStart().startsWith('{')).map((text) => JSON.parse(text) as unknown);
  const resources = json.flatMap((response) => {
    const { data } = Object(Object(response).resource_response) as { data?: { results?: readonly unknown[] } };
    return data?.results ?? [data];
  });
  const numbers = [101, 102, 103, 104, 105, 106];
  const rest = numbers.map((number) => Object(resourceResponse(pin(number), 'detailed').resource_response).data);
  expect(unknown(edges(rest, 'pin'), edges(resources, 'pin'), unrecordedInJson)).toEqual([]);

  const recordedRoots = rootsIn(texts.flatMap(answersIn));
  expect(recordedRoots.length).toBeGreaterThan(8);
  const pages = [201, 202, 203, 209].map((number) => pageOf(pin(number), pin(101), { data: true, head: true }));
  const madeRoots = rootsIn(pages.flatMap(answersIn));
  expect(madeRoots.length).toBeGreaterThan(10);
  expect(unknown(edges(madeRoots, 'root'), edges(recordedRoots, 'root'), unrecordedInPages)).toEqual([]);
  // The simulated and the recorded response for a missing pin must also be equal.
  expect(recordedRoots).toContainEqual({ __typename: 'PinNotFound', __isError: 'PinNotFound' });
});
