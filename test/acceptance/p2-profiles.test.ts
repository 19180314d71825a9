import { describe, expect, inject, test } from 'vitest';
import { findSound } from '../../lab/platforms/instagram/world/sounds.ts';
import { personName } from '../../lab/platforms/names.ts';
import type { Result } from '../support/envelope.ts';
import { extract } from '../support/http-client.ts';
import { fetchThroughLab } from '../support/lab-client.ts';
import { inspect } from '../support/media.ts';

const service = inject('serviceUrl');

const get = (path: string, query: Record<string, string> = {}) =>
  extract<Result>(`${service}/p2/v3${path}?${new URLSearchParams(query)}`);
const profile = (username: string) => get('/user/profile/details', { username });
const idOf = (username: string) => get('/user/profile/id-from-username', { username });
const audio = (audioId: string) => get('/media/audio/details', { audioId });

describe('/user/profile/details', () => {
  test('returns the details of the page, with a rounded number of posts', async () => {
    const { status, body } = await profile('thelab');
    expect([status, body.error]).toEqual([200, null]);
    expect(body).not.toHaveProperty('contents');
    expect(body.notes).toContain('This request cost 5 credits.');
    const { author, additionalData } = body.metadata as Record<string, Record<string, unknown>>;
    expect(additionalData).toEqual({ source: 'page' });
    expect(author).toMatchObject({
      userId: expect.stringMatching(/^\d{6,9}$/),
      username: 'thelab',
      name: 'The Lab',
      url: 'https://www.instagram.com/thelab/',
      verified: true,
      private: false,
      biography: expect.stringContaining('🌎'),
      followerCount: expect.any(Number),
      followingCount: expect.any(Number),
      postCount: expect.any(Number),
      postCountText: expect.stringMatching(/^[\d,]+$/),
      links: [{ url: 'https://thelab.lab.example/' }],
      pronouns: ['they', 'them'],
      thumbnails: [{ url: expect.stringMatching(/^https:/), width: 150, height: 150 }],
    });
    expect(author?.id).toBe(author?.userId);
    const posts = author?.posts as Record<string, unknown>[];
    expect(posts).toHaveLength(12);
    expect(posts[0]).toMatchObject({ type: 'reel', shortcode: 'lab-reel-12', id: expect.stringMatching(/^\d+$/) });
  });

  test('uses the interface when the page is empty', async () => {
    for (const username of ['lab.api', 'lab.login']) {
      const { metadata } = (await profile(username)).body;
      expect(metadata).toMatchObject({
        author: { username, category: 'Laboratory', postCount: expect.any(Number), thumbnails: [{ width: 320 }] },
        additionalData: { source: 'api' },
      });
    }
  });

  test('uses the head of the page, with rounded counts and a note, when nothing else is available', async () => {
    const { author: whole } = (await profile('thelab')).body.metadata;
    expect(whole).not.toHaveProperty('followerCountText');
    const { metadata, notes } = (await profile('lab.head')).body;
    expect(metadata).toMatchObject({
      author: {
        userId: expect.stringMatching(/^\d{6,9}$/),
        username: 'lab.head',
        name: personName('lab.head'),
        followerCount: expect.any(Number),
        followerCountText: expect.stringMatching(/^[\d.,]+[KMB]?$/),
        followingCount: expect.any(Number),
        postCount: expect.any(Number),
        thumbnails: [{ url: expect.stringMatching(/^https:/), width: 150, height: 150 }],
      },
      additionalData: { source: 'head' },
    });
    expect(notes).toContainEqual(expect.stringContaining('Its counts are rounded'));
    expect((await idOf('lab.head')).body.metadata.author).toEqual({
      userId: expect.stringMatching(/^\d{6,9}$/),
      username: 'lab.head',
    });
  });

  test('marks a private account', async () => {
    const { author } = (await profile('lab.private')).body.metadata as Record<string, Record<string, unknown>>;
    expect(author).toMatchObject({ username: 'lab.private', private: true, followerCount: expect.any(Number) });
    expect(author).not.toHaveProperty('posts');
  });

  test.each([
    'thelab',
    'TheLab',
    '@thelab',
    'https://www.instagram.com/thelab/',
    'https://instagram.com/thelab?hl=en',
    'instagram.com/thelab',
    'Follow me: https://www.instagram.com/thelab?igsh=x',
  ])('accepts %s', async (username) => {
    expect((await profile(username)).body.metadata).toMatchObject({ author: { username: 'thelab' } });
  });
});

describe('/user/profile/id-from-username', () => {
  test.each(['thelab', 'lab.api'])('returns the ID of %s', async (username) => {
    const { author } = (await profile(username)).body.metadata as Record<string, Record<string, unknown>>;
    const { body } = await idOf(username);
    expect(body.metadata.author).toEqual({ userId: author?.userId, username });
    expect(body.notes).toContain('This request cost 5 credits.');
  });
});

describe('an unavailable profile', () => {
  test.each([
    ['lab.gone', 'not_found', false],
    ['lab.errpage', 'not_found', false],
    ['lab.nobody', 'not_found', false],
    ['lab.api404', 'not_found', false],
    ['lab.throttled', 'non_2xx_response', true],
    ['lab.challenge', 'non_2xx_response', true],
    ['lab.walled', 'signin_required', true],
    ['lab.http429', 'non_2xx_response', true],
    ['lab.http503', 'non_2xx_response', true],
    ['lab.is.html', 'invalid_response_data', true],
    ['lab.is.void', 'invalid_response_data', true],
    ['lab.is.half', 'invalid_response_data', true],
  ])('%s returns 200 with %s, and costs nothing', async (username, code, retryable) => {
    for (const { status, body } of await Promise.all([profile(username), idOf(username)])) {
      expect([status, body.error?.code, body.error?.retryable]).toEqual([200, code, retryable]);
      expect(body.notes ?? []).not.toContain('This request cost 5 credits.');
    }
  });

  test.each([
    ['', 'params_not_found'],
    ['two words', 'invalid_params'],
    ['x'.repeat(31), 'invalid_params'],
    ['explore', 'invalid_params'],
    ['https://www.instagram.com/p/lab-reel-12/', 'invalid_url'],
    ['https://www.dailymotion.com/thelab', 'invalid_platform_url'],
  ])('%s returns 400 %s', async (username, code) => {
    for (const { status, body } of await Promise.all([profile(username), idOf(username)])) {
      expect([status, body.error?.code, body.error?.parameter]).toEqual([400, code, 'username']);
    }
  });
});

describe('/media/audio/details', () => {
  test.each([
    ['1000000000000001', 'song'],
    ['1000000000000002', 'original'],
    ['1000000000000003', 'song'],
    ['1000000000000004', 'song'],
    ['https://www.instagram.com/reels/audio/1000000000000001/', 'song'],
    ['123456', undefined],
  ])('%s: returns the audio and reels with it', async (audioId, kind) => {
    const { status, body } = await audio(audioId);
    expect([status, body.error]).toEqual([200, null]);
    const id = /\d+/.exec(audioId)?.[0];
    const { additionalData, title, thumbnailUrl } = body.metadata;
    expect(additionalData).toMatchObject({
      id,
      source: 'api',
      audio: {
        ...(kind === undefined ? {} : { kind }),
        id,
        title: expect.any(String),
        artist: expect.any(String),
        artistUsername: expect.any(String),
        duration: 30,
        reelCount: expect.any(Number),
      },
    });
    expect(title).toMatch(/ \| /);
    if (kind === 'song') expect(thumbnailUrl).toMatch(/^https:/);
    const { reels, audio: sound } = additionalData as { reels: Record<string, unknown>[]; audio: { url: string } };
    expect(body.contents).toHaveLength(6);
    expect(reels).toHaveLength(6);
    for (const { videos, audios, images } of body.contents ?? []) {
      expect([videos?.length, audios?.length, images?.length]).toEqual([4, 1, 3]);
    }
    expect(reels[0]).toMatchObject({
      type: 'reel',
      duration: 4,
      statistics: { playCount: expect.any(Number) },
      author: { username: expect.any(String) },
      music: { id },
    });
    const file = await fetchThroughLab(inject('labUrl'), sound.url);
    expect((await inspect(file.body)).tracks.map(({ kind }) => kind)).toEqual(['audio']);
  });

  test('returns the audio when its reels are hidden from visitors', async () => {
    const { body } = await audio('1000000000000005');
    expect(body.error).toBeNull();
    expect(body.contents).toEqual([]);
    expect(body.metadata.additionalData).toMatchObject({
      source: 'page',
      audio: { title: 'Lab song 1000000000000005 & more', artist: findSound('1000000000000005')?.artist.name },
    });
    expect(body.notes?.[0]).toContain('signed-in');
  });

  test.each([
    ['1000000000000006', 'signin_required'],
    ['1000000000000007', 'not_found'],
    ['1000000000000429', 'non_2xx_response'],
  ])('%s returns 200 with %s', async (audioId, code) => {
    const { status, body } = await audio(audioId);
    expect([status, body.error?.code]).toEqual([200, code]);
  });

  test.each([
    ['', 'params_not_found'],
    ['abc', 'invalid_params'],
    ['1'.repeat(26), 'invalid_params'],
    ['https://www.instagram.com/reel/lab-reel-12/', 'invalid_url'],
    ['https://www.dailymotion.com/video/xlab30', 'invalid_platform_url'],
  ])('%s returns 400 %s', async (audioId, code) => {
    const { status, body } = await audio(audioId);
    expect([status, body.error?.code, body.error?.parameter]).toEqual([400, code, 'audioId']);
  });
});
