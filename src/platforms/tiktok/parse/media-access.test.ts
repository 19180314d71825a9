import { describe, expect, it } from 'vitest';
import { mediaAccess } from './media-access.ts';

const video = 'https://v16-webapp-prime.us.tiktok.com/video/a/?tk=tt_chain_token';
const cookieOf = (setCookie: string | string[] | undefined) =>
  mediaAccess(
    { status: 200, url: 'https://www.tiktok.com/', text: '', headers: { 'set-cookie': setCookie } },
    'Agent/1',
  ).of(video)?.headers.cookie;

describe('media headers', () => {
  it.each([
    [['ttwid=1', 'tt_chain_token=a%3D+/==; Path=/; Secure'], 'tt_chain_token=a%3D+/=='],
    ['tt_chain_token="quoted="', 'tt_chain_token="quoted="'],
    [['xtt_chain_token=a', 'tt_chain_token='], undefined],
    [['tt_chain_token=a\r\nx-evil: 1'], undefined],
    [['tt_chain_token=a,b'], undefined],
    [[`tt_chain_token=${'a'.repeat(2000)}`], undefined],
    [undefined, undefined],
  ])('are derived from %j', (setCookie, cookie) => {
    expect(cookieOf(setCookie)).toBe(cookie);
  });

  it.each([
    'https://p16-common-sign.tiktokcdn.com/a.jpeg',
    'https://tiktok.com.evil.example/a',
    'https://eviltiktok.com/a',
    'http://v16-webapp-prime.tiktok.com/a',
    'no link',
  ])('are not sent to %s', (url) => {
    const response = { status: 200, url: '', text: '', headers: { 'set-cookie': ['tt_chain_token=a'] } };
    expect(mediaAccess(response, 'Agent/1').of(url)).toBeUndefined();
  });
});
