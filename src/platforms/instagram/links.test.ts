import { describe, expect, it } from 'vitest';
import { recognise as recogniseDailymotion } from '../dailymotion/links.ts';
import { matchesVariant } from './endpoints/post-details.ts';
import { isPrivateCode, mediaIdOf, properCode, recognise } from './links.ts';

const code = 'DdG4RIxIPyf';

describe('link recognition', () => {
  it.each([
    `https://www.instagram.com/p/${code}/`,
    `https://instagram.com/reel/${code}?igsh=abc`,
    `http://m.instagram.com/reels/${code}/`,
    `https://www.instagram.com/tv/${code}`,
    `https://instagr.am/p/${code}/?img_index=2`,
    `https://www.instagram.com/natgeo/p/${code}/`,
    `https://www.instagram.com/nat.geo/reel/${code}/`,
    `https://www.instagram.com/p/${code}/embed/captioned/`,
  ])('reads %s as a post', (link) => {
    expect(recognise(link)).toEqual({ kind: 'post', code });
    expect(recogniseDailymotion(link)).toBeNull();
  });

  it.each([
    ['https://www.instagram.com/reels/audio/26106058285758518/', { kind: 'audio', id: '26106058285758518' }],
    ['https://www.instagram.com/natgeo/', { kind: 'profile', username: 'natgeo' }],
    ['https://www.instagram.com/share/reel/X1', { kind: 'share', url: 'https://www.instagram.com/share/reel/X1' }],
    ['https://www.instagram.com/stories/natgeo/1/', null],
    ['https://www.instagram.com/explore/', null],
    ['https://www.instagram.com/', null],
    ['https://instagram.com.evil.example/p/DdG4RIxIPyf/', null],
    ['ftp://www.instagram.com/p/DdG4RIxIPyf/', null],
    ['nonsense', null],
  ])('reads %s as %o', (link, meaning) => {
    expect(recognise(link)).toEqual(meaning);
  });

  it('converts shortcodes to numbers', () => {
    expect(mediaIdOf(code)).toBe('3983118388705688735');
    expect(mediaIdOf('CiKgnBEPU9g')).toBe('2921290726996004704');
    const shared = `${code}${'x'.repeat(28)}`;
    expect([isPrivateCode(code), isPrivateCode(shared), properCode(shared)]).toEqual([false, true, code]);
  });
});

describe('matchesVariant', () => {
  it.each([
    ['720p', '720p', true],
    ['478p', '480p', true],
    ['1054p', '1080p', true],
    ['640p', '720p', false],
    ['video', '720p', false],
  ])('compares label %s with format %s: %s', (label, format, expected) => {
    expect(matchesVariant(label, format)).toBe(expected);
  });
});
