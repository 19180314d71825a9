import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRecordings } from '../../../test/support/recordings.ts';
import { propertyRuns } from '../../testing/property-runs.ts';
import type { Extraction } from '../platform.ts';
import { resultUnlessUnread } from '../testing/extraction-outcome.ts';
import { fakeSite } from '../testing/fake-site.ts';
import { renamed } from '../testing/renamed-members.ts';
import { UnreadResponseError } from '../unread.ts';
import { detailOf, page, photoItem, postId, videoItem } from './testing/pages.ts';
import { tiktok } from './testing/tiktok.ts';

/** A page and the link for which the site returned it. */
interface Sample {
  readonly name: string;
  readonly path: string;
  readonly url: string;
  readonly body: string;
}

const commentList = {
  status_code: 0,
  comments: [{ cid: '1', text: 'a', user: { unique_id: 'b', avatar_thumb: { url_list: ['https://p16.example/a'] } } }],
};
const subtitled = { ...videoItem.video, subtitleInfos: [{ LanguageCodeName: 'en', Url: 'https://v16.example/s' }] };
const userInfo = { user: videoItem.author, stats: videoItem.authorStats, statsV2: videoItem.authorStatsV2 };

const madeUp: readonly Sample[] = [
  postSample('a video', page({ 'webapp.video-detail': detailOf({ ...videoItem, video: subtitled }) }), postId),
  postSample('photos', page({ 'webapp.reflow.video.detail': detailOf(photoItem) }), postId),
  postSample('a streamed page', page({ videoDetail: detailOf(photoItem), commentList }, 'api-data'), postId),
  userSample('a user', page({ 'webapp.user-detail': { statusCode: 0, userInfo } }), 'two.three'),
];

const recorded: readonly Sample[] = [...readRecordings('p4')].flatMap(([name, body]) => {
  const id = /"itemStruct":\{"id":"(\d{19})"/.exec(body)?.[1];
  if (id !== undefined) return [postSample(name, body, id)];
  const user = /"webapp\.user-detail":\{"userInfo":\{"user":\{"id":"\d+","shortId":"","uniqueId":"([\w.]+)"/.exec(
    body,
  )?.[1];
  return user === undefined ? [] : [userSample(name, body, user)];
});

function postSample(name: string, body: string, id: string): Sample {
  return { name, body, path: '/post/details', url: `https://www.tiktok.com/@_/video/${id}` };
}

function userSample(name: string, body: string, user: string): Sample {
  return { name, body, path: '/user/details', url: `https://www.tiktok.com/@${user}` };
}

async function extract({ path, url }: Sample, body: string): Promise<Extraction> {
  const endpoint = tiktok.endpoints.find((one) => one.path === path);
  if (endpoint === undefined) throw new Error(`there is no endpoint ${path}`);
  return await endpoint.extract({ url }, fakeSite(() => ({ body })).context);
}

/** Returns the numbers of entries in each list of a result, and of the parts of a user. */
function sizes({ contents, metadata }: Extraction): readonly number[] {
  const [content] = contents ?? [];
  const photos = (content?.images ?? []).filter(({ item }) => item.repId.startsWith('photo'));
  const lists = [content?.videos, photos, metadata.comments?.threads, metadata.additionalData?.subtitles];
  const parts = [metadata.author?.user, metadata.author?.stats].filter((part) => Object.keys(Object(part)).length > 0);
  return [...lists, parts].map((list) => (Array.isArray(list) ? list.length : 0));
}

/** Names of the members that lead to entries or are part of them. */
const structure = [
  ...[
    '__DEFAULT_SCOPE__',
    'webapp.video-detail',
    'webapp.reflow.video.detail',
    'videoDetail',
    'itemInfo',
    'itemStruct',
  ],
  ...['video', 'playAddr', 'bitrateInfo', 'PlayAddr', 'PlayAddrStruct', 'UrlList', 'UrlKey', 'subtitleInfos', 'Url'],
  ...['imagePost', 'images', 'imageURL', 'urlList', 'commentList', 'comments', 'cid', 'id', 'statusCode'],
  ...['webapp.user-detail', 'userInfo', 'user', 'stats', 'statsV2', 'videoCount'],
];

/** Replaces the values of members on a page by a number. */
function damaged(body: string, names: readonly string[]): string {
  return names.reduce(
    (text, name) =>
      text.replaceAll(new RegExp(`"${name}":(?:"[^"]*"|\\{\\}|\\[\\]|(?=[[{]))`, 'g'), (found) =>
        found.endsWith(':') ? `"${name}":7,"${name}New":` : `"${name}":7`,
      ),
    body,
  );
}

/** A page without a known detail and its status is the same as the shell that the site sends for a withheld page. */
const unreadCodes = ['invalid_response_data', 'non_2xx_response'] as const;

/** A status that no parser knows is a ruling of the site. */
const rulingCodes = [...unreadCodes, 'unavailable'] as const;

describe.each([...madeUp, ...recorded])('$name', (sample) => {
  it('has no unread entry', async () => {
    const result = await extract(sample, sample.body);
    expect(result.unread).toEqual({});
    expect(sizes(result).some((size) => size > 0)).toBe(true);
  });

  it.runIf(/<\/html>\s*$/.test(sample.body))('is unread when its script has a new ID', async () => {
    const body = sample.body.replaceAll(/id="(?:__UNIVERSAL_DATA_FOR_REHYDRATION__|api-data)"/g, 'id="__DATA__"');
    await expect(extract(sample, body)).rejects.toBeInstanceOf(UnreadResponseError);
  });

  it('never becomes a silently shorter result when the site changes', async () => {
    const whole = await extract(sample, sample.body);
    const names = structure.filter((name) => sample.body.includes(`"${name}":`));
    const changes = fc.tuple(fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 4 }), fc.boolean());
    const runs = propertyRuns(sample.body.length > 100_000 ? 20 : 60);
    const single = names.flatMap((name): [[string[], boolean]][] => [[[[name], false]], [[[name], true]]]);
    await fc.assert(
      fc.asyncProperty(changes, async ([changed, isHeavy]) => {
        const body = isHeavy ? damaged(sample.body, changed) : renamed(sample.body, new Set(changed));
        const change = `${isHeavy ? 'damage of' : 'new names for'} ${changed.join()}`;
        const codes = isHeavy && changed.includes('statusCode') ? rulingCodes : unreadCodes;
        const result = await resultUnlessUnread(extract(sample, body), change, codes);
        if (result === undefined) return;
        const isShorter = sizes(result).some((size, index) => size < (sizes(whole)[index] ?? 0));
        expect(isShorter && Object.keys(result.unread ?? {}).length === 0, change).toBe(false);
      }),
      { seed: 21, numRuns: runs + single.length, examples: single },
    );
  });
});
