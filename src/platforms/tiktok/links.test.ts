import { describe, expect, it } from 'vitest';
import { MillraceError } from '../../contract/errors.ts';
import { recognise as recogniseDailymotion } from '../dailymotion/links.ts';
import { readLink } from './endpoints/parameters.ts';
import { isOfSite, postUrl, profileUrl, recognise, secondOf } from './links.ts';

const id = '7608826249200356630';

describe('recognise', () => {
  it.each([
    `https://www.tiktok.com/@some.name_1-2/video/${id}`,
    `https://www.tiktok.com/@some.name_1-2/video/${id}/?lang=en&is_copy_url=1#top`,
    `http://tiktok.com/@some.name_1-2/photo/${id}`,
    `https://m.tiktok.com/@some.name_1-2/video/${id}?q=1`,
    `https://us.tiktok.com/@some.name_1-2/video/${id}`,
    `https://lite.tiktok.com/@some.name_1-2/photo/${id}`,
    `https://www.tiktok.com/en/@some.name_1-2/video/${id}`,
    `https://www.tiktok.com/zh-Hant/@some.name_1-2/video/${id}`,
  ])('finds the post and its author in %s', (link) => {
    expect(recognise(link)).toEqual({ kind: 'post', id, user: 'some.name_1-2' });
  });

  it.each([
    `https://www.tiktok.com/@/video/${id}`,
    `https://www.tiktok.com/share/video/${id}/`,
    `https://www.tiktok.com/i18n/share/video/${id}`,
    `https://www.tiktok.com/embed/${id}`,
    `https://www.tiktok.com/embed/v2/${id}?lang=en`,
    `https://www.tiktok.com/player/v1/${id}?autoplay=1`,
    `https://www.tiktokv.com/share/video/${id}/?app=1`,
    `https://m.tiktok.com/v/${id}.html?u_code=1`,
  ])('finds the post in %s', (link) => {
    expect(recognise(link)).toEqual({ kind: 'post', id });
  });

  it.each([
    'https://www.tiktok.com/@name',
    'https://tiktok.com/@name/?lang=de',
    'https://www.tiktok.com/@name/live',
    'https://us.tiktok.com/@name',
    'https://www.tiktok.com/pt-BR/@name',
  ])('finds the user in %s', (link) => {
    expect(recognise(link)).toEqual({ kind: 'profile', user: 'name' });
  });

  it.each([
    ['https://vm.tiktok.com/ZMabc12/', 'https://vm.tiktok.com/ZMabc12/'],
    ['http://vt.tiktok.com/ZSabc?k=1', 'https://vt.tiktok.com/ZSabc'],
    ['https://www.tiktok.com/t/ZTabc/?_r=1', 'https://www.tiktok.com/t/ZTabc/'],
    ['https://tiktok.com/t/ZTabc', 'https://tiktok.com/t/ZTabc'],
    ['https://lite.tiktok.com/t/ZSabc/', 'https://lite.tiktok.com/t/ZSabc/'],
  ])('recognises %s as a short link', (link, url) => {
    expect(recognise(link)).toEqual({ kind: 'short', url });
  });

  it.each([
    '',
    id,
    'tiktok.com/@name',
    `ftp://www.tiktok.com/@name/video/${id}`,
    'https://www.tiktok.com/',
    'https://www.tiktok.com/@name/video/123',
    `https://www.tiktok.com/@name/video/${id}9`,
    `https://www.tiktok.com/@name/video/${id}/more`,
    `https://www.tiktok.com/en/de/@name/video/${id}`,
    `https://www.tiktok.com/english/@name/video/${id}`,
    `https://www.tiktok.com/player/v2/${id}`,
    `https://ads.tiktok.com/@name/video/${id}`,
    'https://www.tiktok.com/@MS4wLjABAAAAf-SIwwe7Qj5TfGXVax4GjJDMCil_y',
    'https://www.tiktok.com/tag/food',
    'https://www.tiktok.com/music/a-7608826260956908310',
    'https://vm.tiktok.com/',
    `https://www.tiktokv.com/@name/video/${id}`,
    `https://www.tiktok.com.evil.example/@name/video/${id}`,
    `https://eviltiktok.com/@name/video/${id}`,
    `https://evil.example/https://www.tiktok.com/@name/video/${id}`,
  ])('does not recognise %s', (link) => {
    expect(recognise(link)).toBeNull();
  });

  it('claims no link of another platform', () => {
    expect(recogniseDailymotion(postUrl({ id }))).toBeNull();
    expect(recognise('https://www.dailymotion.com/video/x96ndxe')).toBeNull();
    expect(isOfSite('https://www.dailymotion.com/video/x96ndxe')).toBe(false);
  });
});

describe('readLink', () => {
  const refusal = (link: string, kind: 'post' | 'profile') => {
    try {
      return readLink(link, kind).kind;
    } catch (error) {
      return error instanceof MillraceError ? [error.code, error.parameter] : error;
    }
  };

  it.each([
    [` https://www.tiktok.com/@name/video/${id} `, 'post', 'post'],
    [`www.tiktok.com/@name/video/${id}`, 'post', 'post'],
    [`look: https://www.tiktok.com/@name/video/${id}, it is great`, 'post', 'post'],
    [`https://youtu.be/dQw4w9WgXcQ and tiktok.com/@name/video/${id}`, 'post', 'post'],
    [`https://www.tiktok.com/tag/food https://www.tiktok.com/@name/video/${id}`, 'post', 'post'],
    [id, 'post', 'post'],
    ['https://vm.tiktok.com/ZMabc12/', 'post', 'short'],
    ['https://vm.tiktok.com/ZMabc12/', 'profile', 'short'],
    ['https://www.tiktok.com/@name', 'profile', 'profile'],
    ['My profile: tiktok.com/@name.', 'profile', 'profile'],
    [' @some.name ', 'profile', 'profile'],
    ['no link', 'post', ['invalid_url', 'url']],
    ['', 'post', ['invalid_url', 'url']],
    ['name', 'profile', ['invalid_url', 'url']],
    ['Hello @name', 'profile', ['invalid_url', 'url']],
    ['@MS4wLjABAAAAf-SIwwe7Qj5TfGXVax4GjJDMCil_y', 'profile', ['invalid_url', 'url']],
    ['@name', 'post', ['invalid_url', 'url']],
    [id, 'profile', ['invalid_url', 'url']],
    ['https://www.tiktok.com/@name', 'post', ['invalid_url', 'url']],
    [`https://www.tiktok.com/@name/video/${id}`, 'profile', ['invalid_url', 'url']],
    ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', 'post', ['invalid_platform_url', 'url']],
    [`${id} https://www.youtube.com/watch?v=dQw4w9WgXcQ`, 'post', ['invalid_platform_url', 'url']],
    ['https://www.dailymotion.com/video/x96ndxe', 'profile', ['invalid_platform_url', 'url']],
    [`https://user:secret@www.tiktok.com/@name/video/${id}`, 'post', ['invalid_platform_url', 'url']],
  ] as const)('reads %s as a %s', (link, kind, expected) => {
    expect(refusal(link, kind)).toEqual(expected);
  });

  it.each([
    ['@name', 'post', '/p4/v3/user/details'],
    [id, 'profile', '/p4/v3/post/details'],
  ] as const)('names the endpoint for %s', (text, kind, endpoint) => {
    expect(() => readLink(text, kind)).toThrow(endpoint);
  });
});

it('creates addresses, and returns the creation time of a post', () => {
  expect(postUrl({ id })).toBe(`https://www.tiktok.com/@_/video/${id}`);
  expect(postUrl({ id, user: 'a.b' })).toBe(`https://www.tiktok.com/@a.b/video/${id}`);
  expect(profileUrl('a.b')).toBe('https://www.tiktok.com/@a.b');
  expect(new Date(secondOf(id) * 1000).toISOString()).toMatch(/^2026-02-20T06:/);
});
