import { describe, expect, it } from 'vitest';
import { isVideoId, recognise } from './links.ts';

describe('isVideoId', () => {
  it.each(['x96ndxe', 'x1', 'k1qHMhAd8SkWeABAfEC', 'xnotfound'])('accepts %s', (id) => {
    expect(isVideoId(id)).toBe(true);
  });

  it.each([
    '',
    'x',
    'X96NDXE',
    'xABC',
    'y123',
    'x96ndxe/..',
    'x96ndxe?a=1',
    'x96 ndxe',
    'x96ndxe\n',
    `x${'a'.repeat(100)}`,
    'https://www.dailymotion.com/video/x96ndxe',
  ])('rejects %j', (id) => {
    expect(isVideoId(id)).toBe(false);
  });
});

describe('recognise', () => {
  it.each([
    ['https://www.dailymotion.com/video/x96ndxe', 'x96ndxe'],
    ['http://dailymotion.com/video/x96ndxe_a-title-for-people', 'x96ndxe'],
    ['https://www.dailymotion.fr/video/x96ndxe?playlist=x1', 'x96ndxe'],
    ['https://touch.dailymotion.com/video/x96ndxe#t=1', 'x96ndxe'],
    ['https://www.dailymotion.com/video/k1qHMhAd8SkWeABAfEC', 'k1qHMhAd8SkWeABAfEC'],
    ['https://www.dailymotion.com/embed/video/x96ndxe?autoplay=1', 'x96ndxe'],
    ['https://www.dailymotion.com/crawler/video/x96ndxe', 'x96ndxe'],
    ['https://www.dailymotion.com/swf/x96ndxe', 'x96ndxe'],
    ['https://www.dailymotion.com/swf/video/x96ndxe&v3=1', 'x96ndxe'],
    ['https://geo.dailymotion.com/player.html?video=x96ndxe', 'x96ndxe'],
    ['https://geo.dailymotion.com/player/xabc1.html?mute=true&video=x96ndxe&a=b', 'x96ndxe'],
    ['https://dai.ly/x96ndxe', 'x96ndxe'],
    ['https://dai.ly/x96ndxe/', 'x96ndxe'],
  ])('reads %s as %s', (link, id) => {
    expect(recognise(link)).toBe(id);
  });

  it.each([
    '',
    'x96ndxe',
    'ftp://www.dailymotion.com/video/x96ndxe',
    'https://www.dailymotion.com/',
    'https://www.dailymotion.com/playlist/x96ndxe',
    'https://www.dailymotion.com/somebody',
    'https://www.dailymotion.com/video/',
    'https://www.dailymotion.com/video/notanid',
    'https://geo.dailymotion.com/player.html',
    'https://dailymotion.com.evil.example/video/x96ndxe',
    'https://evil.example/www.dailymotion.com/video/x96ndxe',
    'https://notdailymotion.com/video/x96ndxe',
  ])('finds no video in %j', (link) => {
    expect(recognise(link)).toBeNull();
  });
});
