import { describe, expect, it } from 'vitest';
import { dig, fields } from '../../../../parsing/values.ts';
import { videoCommentsToken } from '../../requests/comment-tokens.ts';
import { recording, recordings, recordingsOf } from '../../testing/recordings.ts';
import { queryOracle } from '../../testing/youtubei-oracle.ts';
import { readList } from '../item-list.ts';
import type { Comment } from './comment.ts';
import { findComment, readCommentPage } from './comment-page.ts';
import { readCommentSectionMessages } from './comment-section.ts';

/** File, exact number in the header, first and last comment. */
const expectedPages: readonly (readonly [name: string, count: number | undefined, first: string, last: string])[] = [
  ['h20231210__2023-12-10_278899b9__comments_empty_3', 471, 'UgzCrOT_w6s_v4K9ly14', 'UgwCUx88_eo5CyEN-FZ4'],
  ['h20240411__2024-04-11_74bf0004__comments_hearted_3', 3128, 'UgyQSLWRpEHxZw8_feF4', 'UgxgLTwfj5YkLk7ZjzN4'],
  ['h20240411__2024-04-11_74bf0004__comments_pinned_3', 5371, 'Ugyh_hTLZVme65Jqc954', 'Ugx4UngtcTDpmvRYWL14'],
  ['h20240411__2024-04-11_74bf0004__comments_replies_3', 21_012, 'UgwSOM0QHBLysE3vZE54', 'UgxHh7hNdlqyfz_tKgZ4'],
  ['h20240411__2024-04-11_74bf0004__comments_replies_4', undefined, '9TOrAAD78Z59TP5tOBhBXP', '9TOrAAD78Z59TP5wzZaXg0'],
  ['head__comments_channelowner_3', 105, 'UgwWU4k2v4K0RhIDGuV4', 'Ugxv57wXl_WTFUN8pZ54'],
  ['head__comments_creatorreply_3', 105, 'UgwWU4k2v4K0RhIDGuV4', 'Ugxv57wXl_WTFUN8pZ54'],
  ['head__comments_editedcomment_2', 2146, 'UgyIY-qixKpEe_3Q_v94', 'UgzooBdRpj6XlhQC7Th4'],
  ['head__comments_emptycomment_3', 598, 'Ugw9Pojwea8pIswcP214', 'Ugy35j-40t_d5wU8U9J4'],
  ['head__comments_formatting_3', 2131, 'UgwEjpE2INqOBopnRNR4', 'Ugy6Zfh0mgA3x6qfXOJ4'],
  ['head__comments_likesvotes_3', 19_783, 'UgxDNsnHi5PyPNHDj6R4', 'UgyeTp9IASovLUAJtZp4'],
  // This page is in German, whose counts are not parsed, because counts are only requested in English.
  ['head__comments_localizedvotecount_3', undefined, 'UgxDNsnHi5PyPNHDj6R4', 'UgyeTp9IASovLUAJtZp4'],
  ['head__comments_pinned_3', 5145, 'Ugyh_hTLZVme65Jqc954', 'Ugxt7FMOl82r-7qIR0J4'],
  ['head__comments_replies_3', 21_051, 'UgwSOM0QHBLysE3vZE54', 'Ugw5yr5LKV04LEoTCkt4'],
  ['head__comments_replies_4', undefined, '9TOrAAD78Z59TP5tOBhBXP', '9TOrAAD78Z59TP5wzZaXg0'],
  ['pr0702__comments_channelowner_2', 110, 'UgwWU4k2v4K0RhIDGuV4', 'Ugwn8tdo_EH4aJR39RV4'],
  ['pr0702__comments_creatorreply_2', 110, 'UgwWU4k2v4K0RhIDGuV4', 'Ugwn8tdo_EH4aJR39RV4'],
  ['pr0702__comments_editedcomment_2', 2202, 'UgxMFazSg_rfi7Icfix4', 'UgzooBdRpj6XlhQC7Th4'],
  ['pr0702__comments_emptycomment_2', 612, 'Ugw9Pojwea8pIswcP214', 'UgwAAilmNG1CPEQ7GtJ4'],
  ['pr0702__comments_formatting_2', 2108, 'UgzoI06BtDtumBB1G-B4', 'UgzjG8u7aRg9yyZBK1l4'],
  ['pr0702__comments_heartedbycreator_2', 91, 'UgzJB-GFxbDsS5ATUWV4', 'UgyJg6UCI5aeFTEcpcZ4'],
  ['pr0702__comments_likesvotes_2', 19_793, 'UgxDNsnHi5PyPNHDj6R4', 'UgzfoIzpNVLBar1NMiF4'],
  ['pr0702__comments_pinned_2', 5103, 'Ugyh_hTLZVme65Jqc954', 'Ugw5Yu8oEpoh75vC7nZ4'],
  ['pr0702__comments_replies_2', 21_056, 'UgwSOM0QHBLysE3vZE54', 'UgxZh3BKKLY21nnwLXp4'],
  ['pr0702__comments_replies_3', undefined, '9TOrAAD78Z59TP5tOBhBXP', '9TOrAAD78Z59TP5wzZaXg0'],
];

/** Recordings in the format before 2024-04, in which youtubei.js finds neither comments nor reply tokens. */
const oldGeneration = /empty_3|hearted_3/;

const page = (name: string) => readCommentPage(recording(`comments/${name}.json.gz`).body);

/** Returns a comment of a page by its ID without the common suffix. */
function comment(name: string, id: string): Comment {
  const match = findComment(page(name).threads, `${id}AaABAg`);
  if (match === undefined) throw new Error(`there is no comment ${id} in ${name}`);
  return match;
}

/** Returns the video whose comments were requested, from the request's own token. */
function videoOf(token: string): string {
  return Buffer.from(decodeURIComponent(token), 'base64url').toString('latin1').slice(4, 15);
}

describe.skipIf(recordings().length === 0)('recorded comments', () => {
  it('are all covered', () => {
    const names = expectedPages.map(([name]) => `comments/${name}.json.gz`);
    expect(names.toSorted()).toEqual(
      recordingsOf('comments')
        .map(({ name }) => name)
        .toSorted(),
    );
  });

  it.each(expectedPages)('are read from %s', (name, count, first, last) => {
    const { body, request } = recording(`comments/${name}.json.gz`);
    const { header, threads, continuation, messages, unread } = readCommentPage(body);
    const german = name.includes('localized');
    expect(threads).toHaveLength(count === undefined && !german ? 10 : 20);
    expect([threads[0]?.id, threads.at(-1)?.id].map((id) => id?.replace(/^.*\.|AaABAg$/g, ''))).toEqual([first, last]);
    expect(header?.count).toBe(count);
    expect(continuation).toMatch(/^Eg0SC/);
    expect([messages, unread]).toEqual([[], {}]);
    for (const one of threads) {
      expect(one, one.id).toMatchObject({
        type: 'comment',
        author: {
          id: expect.stringMatching(/^UC/),
          name: expect.any(String),
          thumbnails: expect.arrayContaining([expect.objectContaining({ width: 88 })]),
        },
        publishedText: expect.stringMatching(german ? /^vor / : / ago(?: \(edited\))?$/),
        likeCountText: expect.any(String),
      });
      if (!german) expect(Number.isSafeInteger(one.likeCount), one.id).toBe(true);
      if (one.text !== undefined)
        expect(
          one.runs
            ?.map(({ text }) => text)
            .join('')
            .trim(),
        ).toBe(one.text);
      if (count !== undefined) expect(one.repliesToken !== undefined, one.id).toBe((one.replyCount ?? 0) > 0);
    }
    const oracle = queryOracle(body);
    if (oldGeneration.test(name)) expect(oracle.ids).toEqual([]);
    else expect(threads.map(({ id }) => id)).toEqual(oracle.ids);
    expect(oracle.continues).toBe(true);
    const token = String(fields(request.body).continuation);
    if (count === undefined) return;
    expect(header?.sortOrders?.map(({ sortBy, selected }) => [sortBy, selected])).toEqual([
      ['TOP_COMMENTS', true],
      ['NEWEST_FIRST', false],
    ]);
    expect(videoCommentsToken(videoOf(token), 'TOP_COMMENTS')).toBe(token);
  });

  it('contain menu tokens equal to the generated ones', () => {
    for (const { name, body } of recordingsOf('comments')) {
      const tokens = JSON.stringify(body).match(/"subMenuItems":.*?"subtitle"|"subMenuItems":.*?"icon"/)?.[0];
      const [top, newest] = [...(tokens ?? '').matchAll(/"token":"([^"]+)"/g)].map((match) => match[1] ?? '');
      if (top === undefined || newest === undefined) continue;
      expect(top, name).toBe(videoCommentsToken(videoOf(top), 'TOP_COMMENTS'));
      expect(newest, name).toBe(videoCommentsToken(videoOf(top), 'NEWEST_FIRST'));
    }
  });

  it('are linked from the video page by the generated token', () => {
    const pages = recordingsOf('comments_watch');
    expect(pages).toHaveLength(9);
    for (const { name, body, facts } of pages) {
      const contents = dig(body, 'contents', 'twoColumnWatchNextResults', 'results', 'results', 'contents');
      const id = String(facts.videoId);
      expect(readList({ contents }).continuation, name).toBe(videoCommentsToken(id, 'TOP_COMMENTS'));
      expect(() => readCommentSectionMessages(body), name).toThrow('no comments although the video has some');
    }
  });

  it('may be turned off', () => {
    for (const name of ['cclicensed', 'ratingsdisabled']) {
      const { body } = recording(`watch/head__stream_streamdefault_${name}_8.json.gz`);
      expect(readCommentSectionMessages(body)).toEqual(['Comments are turned off.']);
    }
    const unavailableVideo = recording('mix/head__mixplaylist_invalidvideoid_2.json.gz');
    expect(() => readCommentSectionMessages(unavailableVideo.body)).toThrow(
      expect.objectContaining({ code: 'not_found', reason: "This video isn't available any more" }),
    );
  });

  it('show who pinned, hearted, edited, paid and replied', () => {
    expect(comment('pr0702__comments_pinned_2', 'Ugyh_hTLZVme65Jqc954')).toMatchObject({
      author: {
        id: 'UCYpRDnhk5H8h16jpS84uqsA',
        handle: '@lemondefr',
        verified: true,
        isCreator: true,
        url: 'https://www.youtube.com/channel/UCYpRDnhk5H8h16jpS84uqsA',
      },
      byCreator: true,
      likeCount: 67,
      likeCountText: '67',
      pinned: true,
      pinnedText: 'Pinned by @lemondefr',
      publishedText: '5 years ago',
      replyCount: 76,
    });
    const editedComments = page('pr0702__comments_replies_3').threads.filter((one) => one.edited === true);
    expect(editedComments.map(({ publishedText }) => publishedText)).toContain('4 years ago (edited)');
    expect(page('pr0702__comments_heartedbycreator_2').threads.filter((one) => one.hearted === true)).toHaveLength(9);
    expect(page('pr0702__comments_heartedbycreator_2').threads.filter((one) => one.creatorReplied)).toHaveLength(5);
    expect(comment('pr0702__comments_heartedbycreator_2', 'UgwezMlKt1AwStsGwq94').author).toMatchObject({
      sponsor: { text: 'Member (8 months)', thumbnails: [{ url: expect.stringMatching(/^https:\/\/yt3/) }] },
    });
    expect(comment('pr0702__comments_emptycomment_2', 'Ugw9Pojwea8pIswcP214').author).toMatchObject({
      isArtist: true,
      isCreator: true,
      verified: true,
    });
    expect(comment('head__comments_likesvotes_3', 'UgxDNsnHi5PyPNHDj6R4')).toMatchObject({
      likeCount: 19_000,
      likeCountText: '19k',
    });
  });

  it('contain the number of replies to a reply', () => {
    const counts = page('pr0702__comments_replies_3').threads.map(({ replyCount }) => replyCount);
    expect(counts.toSorted()).toEqual([0, 0, 0, 0, 0, 1, 1, 2, 3, 6]);
  });

  it('yield the same result in the old format', () => {
    expect(comment('h20240411__2024-04-11_74bf0004__comments_hearted_3', 'UgyQSLWRpEHxZw8_feF4')).toMatchObject({
      author: { handle: '@lemondefr', verified: true, isCreator: true, thumbnails: [{ width: 176 }, {}, {}] },
      byCreator: true,
      edited: true,
      likeCount: 721,
      pinned: true,
      pinnedText: 'Pinned by Le Monde',
      replyCount: 110,
    });
    expect(comment('h20240411__2024-04-11_74bf0004__comments_hearted_3', 'UgwvzIyAZkZbRDJwTBx4')).toMatchObject({
      creatorReplied: true,
      hearted: true,
      likeCount: 1571,
      likeCountText: '1.5K',
    });
  });

  it('contain links, video timestamps, emoji and styles', () => {
    const { runs } = comment('pr0702__comments_emptycomment_2', 'Ugw9Pojwea8pIswcP214');
    expect(runs?.find(({ url }) => url !== undefined)).toEqual({
      text: expect.stringMatching(/FolePublishing\.lnk\.to\/SubscribeArta/),
      url: 'https://folepublishing.lnk.to/SubscribeArta',
    });
    expect(runs?.[0]).toEqual({
      text: '✔',
      emojiUrl: 'https://www.youtube.com/s/gaming/emoji/7ff574f2/emoji_u2714.png',
    });
    const times = comment('pr0702__comments_formatting_2', 'UgwEjpE2INqOBopnRNR4').runs ?? [];
    expect(times.find(({ text }) => text === '1:13')).toMatchObject({ videoId: 'zYpyS2HaZHM', startSeconds: 73 });
    expect(times.filter(({ strikethrough }) => strikethrough === true)).toHaveLength(1);
    const bold = page('pr0702__comments_formatting_2').threads.flatMap((one) => one.runs ?? []);
    expect(bold.filter((run) => run.bold === true).length).toBeGreaterThan(0);
  });

  it('are parsed in two milliseconds', () => {
    const times = recordingsOf('comments').map(({ body }) => {
      readCommentPage(body);
      const started = performance.now();
      readCommentPage(body);
      return performance.now() - started;
    });
    expect(times.toSorted((a, b) => a - b)[times.length >> 1]).toBeLessThan(2);
  });
});
