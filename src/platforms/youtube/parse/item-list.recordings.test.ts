import { describe, expect, it } from 'vitest';
import { parseCount } from '../../../parsing/numbers.ts';
import { dig, fields, list } from '../../../parsing/values.ts';
import { recordedLists } from '../testing/recorded-lists.ts';
import { recording, recordings, recordingsOf } from '../testing/recordings.ts';
import { queryOracle } from '../testing/youtubei-oracle.ts';
import { readList, readPage } from './item-list.ts';
import { findRefusal } from './refusal.ts';

/** Differences from youtubei.js, with the correct result in each case. */
const disagreements: Readonly<Record<string, string>> = {
  // Each shelf of games ends in its own continuation, but the page itself has none. Our result is correct.
  'channel/head__channel_interactivetabbedheader_2.json.gz': 'continues',
  'channel/h20250716__2025-07-16_62b3c3b7__channel_interactiveTabbedHeader_2.json.gz': 'continues',
  'channel/h20250718__2025-07-18_7adbc48a_channel_interactivetabbedheader_2.json.gz': 'continues',
  // youtubei.js does not know this kind of header and discards the contents with it, which are 118 albums and lists.
  // Our result is correct.
  'channel/head__channel_systemtopic_2.json.gz': 'ids',
};

const groups = ['search', 'channel', 'playlist', 'hashtag', 'mix', 'watch', 'comments_watch'];
const lists = recordingsOf(...groups).filter(({ status }) => status === 200);

describe.skipIf(recordings().length === 0)('recorded lists', () => {
  it.each(lists.map(({ name }) => name))('contain the items that youtubei.js finds in %s', (name) => {
    const { body } = recording(name);
    const page = readPage(body);
    const oracle = queryOracle(body);
    const ids = page.items.map(({ id }) => id).toSorted();
    const expected = disagreements[name];
    if (expected === 'ids') expect([oracle.ids.length, ids.length]).toEqual([0, 118]);
    else expect(ids).toEqual(oracle.ids.toSorted());
    if (expected === 'continues') expect([oracle.continues, page.continuation]).toEqual([true, undefined]);
    else expect(page.continuation !== undefined).toBe(oracle.continues);
  });

  it('have the expected lengths, first and last items', () => {
    const countedLists = lists.filter(({ group }) => ['search', 'channel', 'playlist'].includes(group));
    const entries = countedLists.map(({ name, body }) => {
      const { items, continuation } = readPage(body);
      return [name.replace('.json.gz', ''), [items.length, items[0]?.id ?? '', continuation !== undefined]] as const;
    });
    expect(Object.fromEntries(entries)).toEqual(recordedLists);
  });

  it('contain no list entry of an unknown kind', () => {
    const ofLists = lists.filter(
      ({ group, body }) => !/watch|mix/.test(group) && findRefusal(fields(body)) === undefined,
    );
    expect(ofLists.filter(({ body }) => Object.keys(readPage(body).unread).length > 0).map(({ name }) => name)).toEqual(
      [],
    );
  });

  it('have every member that the contract guarantees', () => {
    const kinds = new Map<string, number>();
    for (const { name, body, request } of lists) {
      const english = JSON.stringify(request).includes('"hl":"en');
      for (const item of readPage(body).items) {
        kinds.set(item.type, (kinds.get(item.type) ?? 0) + 1);
        expect(item.id, name).not.toBe('');
        expect(URL.canParse(item.url), name).toBe(true);
        if (item.type !== 'post') expect(item.title ?? '', `${name} ${item.id}`).not.toBe('');
        const pictures = 'thumbnails' in item ? (item.thumbnails ?? []) : [];
        const sizes = pictures.map(({ width = 0, height = 0 }) => width * height);
        expect(sizes, name).toEqual(sizes.toSorted((a, b) => b - a));
        if (!english) continue;
        for (const [member, value] of Object.entries(item)) {
          if (member.endsWith('CountText'))
            expect(parseCount(String(value)), `${name} ${item.id} ${value}`).toBeDefined();
        }
      }
    }
    expect(Object.fromEntries(kinds)).toEqual({
      channel: 211,
      live: 118,
      mix: 7,
      playlist: 420,
      post: 24,
      short: 505,
      video: 5309,
    });
  });

  it('contain the author, view count and date of videos', () => {
    const related = recording('watch/head__stream_streamcollaborators_8.json.gz');
    const { items } = readPage(fields(related.body));
    expect(items.find(({ id }) => id === 'Xg1ro-zG7AM')).toMatchObject({
      type: 'video',
      channel: { id: 'UCY1kMZp36IQSyNx_9h4mpCg', name: 'Mark Rober', handle: '@MarkRober', verified: true },
      collaborators: [{ handle: '@MarkRober' }, { handle: '@CrunchLabs', id: 'UC513PdAP2-jWkJunTh5kXRw' }],
      duration: 1132,
      publishedText: '3 months ago',
    });
    const searchItems = readPage(recording('search/pr0702__search_search_all_1.json.gz').body).items;
    expect(searchItems.find(({ id }) => id === '4FEzLc7iBY0')).toMatchObject({
      channel: { id: 'UCrz03N3HMlCarlnORxxi9nA', handle: '@51TestClips' },
      badges: ['4K'],
      duration: 136,
      publishedText: '2 years ago',
      thumbnails: [
        { width: 720, height: 404 },
        { width: 360, height: 202 },
      ],
      viewCount: 937_343,
      viewCountText: '937,343 views',
    });
    expect(searchItems.find(({ type }) => type === 'channel')).toMatchObject({
      id: 'UCZRcA_nO3Kt-SOml2mY8D9g',
      handle: '@tutorialismic',
      subscriberCount: 305_000,
      subscriberCountText: '305k subscribers',
    });
    const playlists = readPage(recording('search/head__search_search_playlists_2.json.gz').body).items;
    expect(playlists.find(({ id }) => id === 'PLAD454F0807B6CB80')).toMatchObject({
      type: 'playlist',
      kind: 'playlist',
      channel: { handle: '@joueurdugrenier', verified: true },
      firstVideoId: 'Zw6s3g1VpUc',
      updatedText: 'Updated yesterday',
      videoCount: 102,
    });
  });

  it('mark every verified channel of the videos beside another one', () => {
    const mark = /"imageName":"(?:CHECK_CIRCLE_FILLED|AUDIO_BADGE)"/;
    let verified = 0;
    for (const { name, body } of recordingsOf('watch')) {
      const related = dig(body, 'contents', 'twoColumnWatchNextResults', 'secondaryResults');
      const items = readList(related).items.flatMap((item) => ('channel' in item ? [item] : []));
      const marked = lockupsIn(related).filter((lockup) => mark.test(JSON.stringify(dig(lockup, 'metadata'))));
      for (const lockup of marked) {
        const item = items.find(({ id }) => id === dig(lockup, 'contentId'));
        // The mark of one of several creators is with that creator.
        if (item === undefined || ('collaborators' in item && item.collaborators !== undefined)) continue;
        expect(item.channel?.verified, `${name} ${item.id}`).toBe(true);
        verified += 1;
      }
    }
    expect(verified).toBeGreaterThan(100);
  });

  it('are parsed in a millisecond', () => {
    const times = lists.map(({ body }) => {
      readPage(body);
      const started = performance.now();
      readPage(body);
      return performance.now() - started;
    });
    expect(times.toSorted((a, b) => a - b)[times.length >> 1]).toBeLessThan(1);
  });

  it.each([
    ['channel/pr0702__channel_notavailable_1.json.gz', 'not_found', /^This channel was removed because it violated/],
    ['channel/pr0702__channel_notavailable_2.json.gz', 'not_found', /^This account has been terminated/],
    ['channel/pr0702__channel_notavailable_3.json.gz', 'not_found', /^This channel does not exist\./],
    ['channel/pr0702__channeltab_agerestrictedtabsshorts_1.json.gz', 'age_restricted', undefined],
    ['playlist/head__channeltab_agerestrictedtabsshorts_3.json.gz', 'not_found', /^The playlist does not exist\./],
    ['playlist/pr0702__playlist_notavailable_1.json.gz', 'not_found', /^This playlist type is unviewable\./],
  ])('are refused for %s', (name, code, reason) => {
    const refusal = findRefusal(fields(recording(name).body));
    expect(refusal?.code).toBe(code);
    if (reason === undefined) expect(refusal?.reason).toBeUndefined();
    else expect(refusal?.reason).toMatch(reason);
  });

  it('are not refused in any other file', () => {
    const refusals = lists.filter(({ body }) => findRefusal(fields(body)) !== undefined);
    expect(refusals.every(({ name }) => /notavailable|agerestricted/i.test(name))).toBe(true);
  });
});

/** Returns the lockups of a list of related videos. */
function lockupsIn(related: unknown): readonly unknown[] {
  return list(dig(related, 'secondaryResults', 'results')).flatMap((entry) => [
    dig(entry, 'lockupViewModel'),
    ...list(dig(entry, 'itemSectionRenderer', 'contents')).map((one) => dig(one, 'lockupViewModel')),
  ]);
}
