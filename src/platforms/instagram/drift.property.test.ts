import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRecordings } from '../../../test/support/recordings.ts';
import { dig, list } from '../../parsing/values.ts';
import { propertyRuns } from '../../testing/property-runs.ts';
import type { Extraction } from '../platform.ts';
import { resultUnlessUnread } from '../testing/extraction-outcome.ts';
import type { Reply } from '../testing/fake-site.ts';
import { namesIn, renamed } from '../testing/renamed-members.ts';
import { block, code, extract, graph, type Kind, lsd, reel, shell, xig } from './testing/fake-instagram.ts';

/** A response with entries, and the request that leads to it. */
interface Sample {
  readonly name: string;
  readonly path: string;
  readonly parameters: Record<string, string>;
  readonly kind: Kind;
  readonly body: string;
}

const recordings = readRecordings('p2');

const post = (name: string, shortcode: string, kind: Kind, body: string): Sample => ({
  name,
  path: '/media/post/details',
  parameters: { shortcode },
  kind,
  body,
});

const photo = { media_type: 1, image_versions2: { candidates: [{ url: 'https://cdn.example/1.jpg' }] } };
const carousel = {
  ...reel,
  media_type: 8,
  video_versions: null,
  carousel_media: [photo, { ...reel, code: 'x' }, photo],
};
const child = { __typename: 'XDTGraphImage', id: '1', display_url: 'https://cdn.example/d.jpg' };
const sidecar = {
  ...graph,
  __typename: 'XDTGraphSidecar',
  edge_sidecar_to_children: { edges: [{ node: child }, { node: child }] },
};
const user = { pk: '787132', username: 'natgeo', biography: 'b', follower_count: 5 };
const tiles = { edges: [{ node: { code: 'Dabcde', pk: '1' } }, { node: { code: 'Dabcdf', pk: '2' } }] };

const small: readonly Sample[] = [
  post('a reel in a page', code, 'page', shell + block(xig(reel))),
  post('a carousel in a page', code, 'page', shell + block(xig(carousel))),
  post('a carousel in a query', code, 'shortcode', JSON.stringify({ data: { xdt_shortcode_media: sidecar } })),
  {
    name: 'a profile in a page',
    path: '/user/profile/details',
    parameters: { username: 'natgeo' },
    kind: 'page',
    body:
      shell +
      block({ xig_user_by_username: user }) +
      block({ xig_user_by_username: { pk: '787132', polaris_ordered_timeline_connection: tiles } }),
  },
  {
    name: 'an audio track',
    path: '/media/audio/details',
    parameters: { audioId: '123' },
    kind: 'music',
    body: JSON.stringify({
      items: [{ media: reel }, { media: reel }],
      metadata: { original_sound_info: { audio_asset_id: '123' } },
    }),
  },
];

/** The recordings with entries. */
const recorded = (
  [
    ['2scraper__instagram-scraper/instagram_post_reel_live_20261004.html', 'DdG4RIxIPyf', 'page'],
    ['MarkChu-git__fetchr/crawler-image.html', 'CiKgnBEPU9g', 'page'],
    ['MarkChu-git__fetchr/crawler-carousel.html', 'DeCowlSjyeV', 'page'],
    ['zhiwei2017__crawlinsta/comments/C10MvewSSYl.html.gz', 'C10MvewSSYl', 'page'],
    ['SNScoin__social/instagram_response.html.gz', 'DLZEet2I6No', 'page'],
    ['jordanjordann__my-content/scrapecreators-instagram/ig_post_counts_disabled.json', 'G25FoCxFQnr', 'shortcode'],
    ['jordanjordann__my-content/scrapecreators-instagram/ig_reel_1_zero_view_count.json', 'ImJKXRf2Yql', 'shortcode'],
    ['jordanjordann__my-content/scrapecreators-instagram/ig_reel_2.json', 'B9H0c1Yai2A', 'shortcode'],
    [
      'jordanjordann__my-content/scrapecreators-instagram/ig_carousel_all_images_10_slides.json',
      'F_PxPdf-7cx',
      'shortcode',
    ],
    ['2scraper__instagram-scraper/instagram_profile_natgeo_live_20261004.html', 'natgeo', 'page'],
    ['zhiwei2017__crawlinsta/posts_by_music_id/audio1.json.gz', '955300842838255', 'music'],
    ['zhiwei2017__crawlinsta/posts_by_music_id/music1.json.gz', '1053780911670375', 'music'],
  ] as const
).flatMap(([name, item, kind]): Sample[] => {
  const body = recordings.get(name);
  if (body === undefined) return [];
  if (item === 'natgeo') return [{ name, path: '/user/profile/details', parameters: { username: item }, kind, body }];
  if (kind === 'music') return [{ name, path: '/media/audio/details', parameters: { audioId: item }, kind, body }];
  return [post(name, item, kind, body)];
});

function extractFrom({ path, parameters, kind }: Sample, body: string): Promise<Extraction> {
  const replies: Partial<Record<Kind, Reply>> = { page: { body: lsd }, [kind]: { body } };
  return extract(path, parameters, replies).extraction;
}

/** A page without the requested name or code is the same as one that the site returns when it limits the rate. */
const unreadCodes = ['invalid_response_data', 'non_2xx_response'] as const;

/** Returns the number of entries: items with their kinds of media, comments, and the posts of a timeline. */
function entriesIn({ contents = [], metadata }: Extraction) {
  const { posts } = metadata.author ?? {};
  return {
    contents: contents.filter(({ videos, images }) => videos !== undefined || images !== undefined).length,
    videos: contents.map(({ videos = [] }) => videos.length),
    images: contents.filter(({ images }) => images !== undefined).length,
    comments: list(dig(metadata, 'comments', 'threads')).length,
    posts: Array.isArray(posts) ? posts.length : 0,
  };
}

/** Names that the site changes at once: one of its members or types, a few, or most of them. */
function changesOf(body: string): fc.Arbitrary<ReadonlySet<string>> {
  const names = namesIn(body);
  return fc.oneof(
    fc.constantFrom(...names).map((name) => new Set([name])),
    fc.subarray([...names], { minLength: 1, maxLength: 4 }).map((some) => new Set(some)),
    fc.subarray([...names], { minLength: Math.ceil(names.length / 4) }).map((some) => new Set(some)),
  );
}

describe('a changed response', () => {
  it.each([...small, ...recorded])('of $name never becomes an empty result without unread entries', async (sample) => {
    const original = await extractFrom(sample, sample.body);
    expect(original.unread ?? {}).toEqual({});
    const before = entriesIn(original);
    await fc.assert(
      fc.asyncProperty(changesOf(sample.body), async (names) => {
        const changed = extractFrom(sample, renamed(sample.body, names));
        const result = await resultUnlessUnread(changed, [...names].slice(0, 4).join(), unreadCodes);
        if (result === undefined || Object.keys(result.unread ?? {}).length > 0) return;
        expect(entriesIn(result)).toEqual(before);
      }),
      { seed: 21, numRuns: propertyRuns(sample.body.length > 200_000 ? 15 : 60) },
    );
  });
});
