import { afterAll, beforeAll, expect, test } from 'vitest';
import { readRecordings } from '../../../test/support/recordings.ts';
import type { Lab } from '../../lab.ts';
import { fetchThrough, json, startTestLab } from '../../testing.ts';
import { memberEdges } from '../member-edges.ts';
import { byShortcode, client, dataIn, goTo, music } from './testing.ts';

// Every member that the lab writes inside the following nodes must occur in a recorded response.

const recordings = readRecordings('p2');
const nodes = [
  'xig_polaris_media',
  'xig_user_by_username',
  'xdt_shortcode_media',
  'xdt_api__v1__media__shortcode__web_info',
  'xdt_api__v1__media__media_id__comments__connection',
  'shortcode_media',
  'items',
  'metadata',
  'paging_info',
  'media_count',
  'user',
] as const;

/** Members that no recording contains; they are known from other programs that read the site. */
const exceptions = new Set([
  // Pages for visitors contain manifests only sometimes.
  'if_not_gated_logged_out.video_dash_manifest',
  'carousel_media.video_dash_manifest',
  'if_not_gated_logged_out.is_paid_partnership',
  // The recorded pages of carousels were shortened.
  'carousel_media.accessibility_caption',
  'carousel_media.usertags',
  'shortcode_media.edge_sidecar_to_children',
  // Gated posts and comments.
  'gating_ruling.__typename',
  'comments_connection.edges',
  'edges.node',
  // Locations and second authors: in recordings, they are null or have other shapes.
  'location.pk',
  'location.lat',
  'location.lng',
  'location.name',
]);

let lab: Lab;
beforeAll(async () => {
  lab = await startTestLab();
});
afterAll(() => lab.close());

function recordedAnswers(): unknown[] {
  return [...recordings].filter(([name]) => /\.(?:html|json|gz)$/.test(name)).flatMap(([, text]) => answersIn(text));
}

/** Returns the data of a response: JSON, optionally behind a guard, or a page. */
function answersIn(text: string): unknown[] {
  const context = /"contextJSON":("(?:[^"\\]|\\.)*")/.exec(text)?.[1];
  if (context !== undefined) return [JSON.parse(JSON.parse(context) as string) as unknown];
  const body = text.replace(/^for \(;;\);/, '');
  return body.trimStart().startsWith('{') ? [JSON.parse(body) as unknown] : dataIn(body);
}

async function labAnswers(): Promise<unknown[]> {
  const codes = [
    'lab-reel-30',
    'lab-photo-1',
    'lab-caromix',
    'lab-carovid',
    'lab-song-01',
    'lab-company',
    'lab-old2024',
  ];
  const pages = [...codes.map((code) => `/p/${code}/`), '/thelab/', '/p/lab-embed-1/embed/captioned/'];
  const profile = 'https://www.instagram.com/api/v1/users/web_profile_info/?username=lab.api';
  const responses = await Promise.all([
    ...pages.map(async (page) => answersIn((await goTo(lab, page)).body.toString())),
    ...['lab-xdtreel', 'lab-xdtcaro', 'lab-xdthide'].map((code) => byShortcode(lab, code)),
    ...['1000000000000001', '1000000000000002'].map(async (id) => answersIn((await music(lab, id)).body.toString())),
    fetchThrough(lab, profile, { headers: client }).then(json),
  ]);
  return responses.flat();
}

test.skipIf(recordings.size === 0)(
  "the lab's shapes match those of the recordings",
  async () => {
    const recorded = recordedAnswers();
    const simulated = await labAnswers();
    process.stdout.write(`Compared with ${recorded.length} blocks of recorded answers.\n`);
    const theirs = new Set([...memberEdges(recorded, nodes).values()].flatMap((edges) => [...edges]));
    const unknown = [...memberEdges(simulated, nodes)].flatMap(([node, mine]) => {
      if (mine.size === 0) return [`${node} is not written at all`];
      return [...mine.difference(theirs)].filter((edge) => !exceptions.has(edge)).map((edge) => `${node}: ${edge}`);
    });
    expect(unknown).toEqual([]);
  },
  120_000,
);
