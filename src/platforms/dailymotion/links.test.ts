import { describe, expect, it } from 'vitest';
import { videoIdOf } from './endpoints/parameters.ts';
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
    ['https://www.dailymotion.com/playlist/xv4bw_a-list/1#video=x96ndxe', 'x96ndxe'],
    ['https://touch.dailymotion.com/#/video/x96ndxe', 'x96ndxe'],
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

describe('videoIdOf', () => {
  it.each([
    ['x96ndxe', 'x96ndxe'],
    [' k1qHMhAd8SkWeABAfEC\n', 'k1qHMhAd8SkWeABAfEC'],
    ['https://www.dailymotion.com/video/x96ndxe', 'x96ndxe'],
    ['www.dailymotion.com/video/x96ndxe', 'x96ndxe'],
    ['geo.dailymotion.com/player/xabc1.html?video=x96ndxe', 'x96ndxe'],
    ['dai.ly/x96ndxe', 'x96ndxe'],
    ['Watch this: https://dai.ly/x96ndxe!', 'x96ndxe'],
    ['https://www.dailymotion.com/somebody posted https://dai.ly/x96ndxe', 'x96ndxe'],
    ['https://pin.it/4AbCdEf https://dai.ly/x96ndxe', 'x96ndxe'],
    ['<iframe src="https://geo.dailymotion.com/player.html?video=x96ndxe" allowfullscreen></iframe>', 'x96ndxe'],
  ])('finds the video in %j', (value, id) => {
    expect(videoIdOf(value)).toBe(id);
  });

  it.each([
    ['', 'invalid_params'],
    ['X1', 'invalid_params'],
    ['two words', 'invalid_params'],
    ['x96ndxe/..', 'invalid_params'],
    ['https://', 'invalid_params'],
    ['https://www.dailymotion.com/', 'invalid_url'],
    ['www.dailymotion.com/somebody', 'invalid_url'],
    ['https://dai.ly/', 'invalid_url'],
    ['https://pin.it/4AbCdEf', 'invalid_platform_url'],
    ['example.com/video/x96ndxe', 'invalid_platform_url'],
    ['https://user@www.dailymotion.com/video/x96ndxe', 'invalid_platform_url'],
    ['https://www.dailymotion.com.evil.example/video/x96ndxe', 'invalid_platform_url'],
  ])('rejects %j with %s', (value, code) => {
    expect(() => videoIdOf(value)).toThrow(expect.objectContaining({ code, parameter: 'videoId' }));
  });
});
