import { describe, expect, test } from 'vitest';
import { createTestClient, errorResponse, jsonResponse, type RequestHandler } from '#client/testing/test-client.ts';
import { parseLink } from '../command-line/link-argument.ts';
import type { Session } from '../service/session.ts';
import { entriesOf } from './entries.ts';
import type { GetValues } from './get-options.ts';
import { parseItems } from './items.ts';
import type { Target } from './targets.ts';

const playlist = 'https://www.youtube.com/playlist?list=PLaaaaaaaaaaaaaaaa';

/** Returns a video of a list, as the extraction API does. */
function video(number: number, more: object = {}) {
  const id = `video-${String(number).padStart(5, '0')}`;
  return { type: 'video', id, title: `Film ${number}`, url: `https://www.youtube.com/watch?v=${id}`, ...more };
}

/** Responds with a list of two pages, whose videos have these numbers. */
function twoPages(first: readonly object[], second: readonly object[], videoCount?: number): RequestHandler {
  return ({ url }) => {
    const isFirst = !url.searchParams.has('nextToken');
    const page = { videos: isFirst ? first : second, nextToken: isFirst ? 'next' : null };
    const list = { ...page, info: { id: 'x', ...(videoCount === undefined ? {} : { videoCount }) } };
    return jsonResponse({
      error: null,
      metadata: { playlist: list, hashtag: { tag: 'x', contents: page.videos, nextToken: page.nextToken } },
    });
  };
}

/** Lists the entries of texts, and returns them with what was reported and requested. */
async function list(texts: readonly string[], handler: RequestHandler, items?: string, values: GetValues = {}) {
  const { client, requests } = createTestClient(handler, { retries: 0 });
  const messages: string[] = [];
  const counts: (number | undefined)[] = [];
  const targets: Target[] = texts.map((text) => ({ text, link: parseLink(text) }));
  const entries = [];
  const selection = items === undefined ? undefined : parseItems('items', items);
  const context = {
    session: { client } as Session,
    signal: new AbortController().signal,
    values,
    reporter: { say: (text: string) => void messages.push(text) },
  };
  for await (const entry of entriesOf(targets, selection, context, (count) => void counts.push(count)))
    entries.push(entry);
  return { entries, messages, counts, requests };
}

const ten = Array.from({ length: 10 }, (_, index) => video(index + 1));

describe('the entries of a playlist', () => {
  test('are numbered in the command and in the playlist', async () => {
    const handler = twoPages(ten.slice(0, 6), ten.slice(6), 10);
    const { entries, counts } = await list(['https://youtu.be/lab-plain30', playlist], handler);
    expect(entries).toHaveLength(11);
    expect(entries[0]).toMatchObject({ number: 1, name: 'https://youtu.be/lab-plain30' });
    expect(entries[10]).toMatchObject({ number: 11, index: 10, name: 'Film 10' });
    expect(counts).toEqual([1, 10]);
  });

  test('are read only as far as they are selected', async () => {
    const { entries, counts, requests } = await list([playlist], twoPages(ten.slice(0, 6), ten.slice(6), 10), '2,4-5');
    expect(entries.map(({ index }) => index)).toEqual([2, 4, 5]);
    expect([counts, requests.length]).toEqual([[3], 1]);
  });

  test('are counted from the end of the list, whatever number it states', async () => {
    const { entries, counts } = await list([playlist], twoPages(ten.slice(0, 6), ten.slice(6), 400), '-2:');
    expect(entries.map(({ index }) => index)).toEqual([9, 10]);
    expect(counts).toEqual([2]);
  });

  test('that cannot be fetched have a reason', async () => {
    const videos = [
      video(1, { playable: false }),
      video(2, { type: 'live' }),
      { type: 'channel', id: 'c', title: 'Channel', url: 'https://www.youtube.com/@thelab' },
      { type: 'hashtag', id: 'h', title: 'Hashtag' },
    ];
    const { entries } = await list([playlist], twoPages(videos, []));
    expect(entries.map((entry) => ('skipped' in entry ? entry.skipped : undefined))).toEqual([
      'It is private, deleted, or has not started yet.',
      'It is a live broadcast.',
      'It is a channel. Get it with its own link: https://www.youtube.com/@thelab',
      'It has no link.',
    ]);
  });

  test('are replaced by an error if the list fails, and the next target follows', async () => {
    const refuse: RequestHandler = () => errorResponse(404, 'not_found', { retryable: false });
    const { entries } = await list([playlist, 'https://youtu.be/lab-plain30'], refuse);
    expect(entries).toMatchObject([{ number: 1, name: playlist, error: { code: 'not_found' } }, { number: 2 }]);
  });
});

test('a list without an end is cut, unless items are selected', async () => {
  const many = Array.from({ length: 30 }, (_, index) => video(index + 1));
  const hashtag = 'https://www.youtube.com/hashtag/bridges';
  const cut = await list([hashtag], twoPages(many, []));
  expect([cut.entries.length, cut.messages]).toEqual([20, [expect.stringContaining('has no end')]]);
  const selected = await list([hashtag], twoPages(many, []), '1-25');
  expect([selected.entries.length, selected.messages]).toEqual([25, []]);
});

describe('the chapters of a video', () => {
  const link = 'https://youtu.be/lab-chapter';
  const split: GetValues = { 'split-chapters': true };

  test('are entries with a clip', async () => {
    const chapters = [
      { title: 'A', startMs: 0 },
      { title: 'B', startMs: 1500 },
    ];
    const handler = () => jsonResponse({ error: null, metadata: { title: 'Film', additionalData: { chapters } } });
    const { entries, counts } = await list([link], handler, undefined, split);
    expect(entries).toMatchObject([
      { number: 1, name: 'Film - 01 A', chapter: { clip: '0-1.5' } },
      { number: 2, name: 'Film - 02 B', chapter: { clip: '1.5-' } },
    ]);
    expect(counts).toEqual([undefined]);
    const selected = await list([link], handler, '-1', split);
    expect(selected.entries).toMatchObject([{ number: 1, name: 'Film - 02 B' }]);
  });

  test('are replaced by an error if there are none', async () => {
    const { entries } = await list([link], () => jsonResponse({ error: null, metadata: {} }), undefined, split);
    expect(entries).toMatchObject([{ name: link, error: { message: expect.stringContaining('no chapters') } }]);
  });
});
