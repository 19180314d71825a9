import { describe, expect, it } from 'vitest';
import { forms } from '../../../../lab/platforms/youtube/link-forms.ts';
import { readChannelId, readHandle, readPlaylistId, readPostId, readTag, readVideoId } from './link-parameters.ts';

const links = forms.flatMap((form) => form.links);
const id = 'dQw4w9WgXcQ';
const playlistId = 'PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf';
const channelId = 'UCuAXFkgsw1L7xaCfnd5JJOw';
const postId = 'UgkxOc9uYUCpteH5oo884C7QVodBYZMYsnJR';

describe('a videoId parameter', () => {
  const ofVideos = links.filter((link) => link.includes(id));

  it.each(ofVideos)('accepts %s, with and without text around it', (link) => {
    for (const text of [link, `  ${link}\n`, `Look: ${link}, great!`, link.replace('https://', '')]) {
      expect(readVideoId(text)).toBe(id);
    }
  });

  it('accepts an ID, and the first link of a text that is YouTube’s', () => {
    expect(readVideoId(` ${id} `)).toBe(id);
    expect(readVideoId(`https://elsewhere.example/a youtu.be/${id} youtu.be/aaaaaaaaaa1`)).toBe(id);
  });

  it.each([
    ['short', 'invalid_params'],
    ['lab plain30', 'invalid_params'],
    ['', 'invalid_params'],
    [`https://www.youtube.com/playlist?list=${playlistId}`, 'invalid_url'],
    ['https://www.youtube.com/watch?v=short', 'invalid_url'],
    ['https://www.youtube.com/feed/trending', 'invalid_url'],
    ['https://vimeo.com/1', 'invalid_platform_url'],
    [`https://evil-youtube.com/watch?v=${id}`, 'invalid_platform_url'],
    [`https://www.youtube.com@elsewhere.example/watch?v=${id}`, 'invalid_platform_url'],
  ])('rejects %j with %s', (text, code) => {
    expect(() => readVideoId(text)).toThrow(expect.objectContaining({ code, status: 400, parameter: 'videoId' }));
  });
});

it.each([
  [readPlaylistId, playlistId, `https://www.youtube.com/watch?v=${id}&list=${playlistId}`],
  [readPlaylistId, 'RDMM', `https://www.youtube.com/watch?v=${id}&list=RDMM`],
  [readChannelId, channelId, `https://www.youtube.com/channel/${channelId}/videos`],
  [readChannelId, channelId, `https://www.youtube.com/channel/${channelId}/community?lb=${postId}`],
  [readPostId, postId, `https://www.youtube.com/post/${postId}`],
  [readPostId, postId, `https://www.youtube.com/channel/${channelId}/community?lb=${postId}`],
  [readHandle, '@naïve', 'https://www.youtube.com/@na%C3%AFve/videos'],
  [readHandle, 'c/name', 'https://www.youtube.com/c/name'],
  [readHandle, 'user/name', 'www.youtube.com/user/name'],
  [readTag, 'müsik', 'https://www.youtube.com/hashtag/M%C3%BCsik'],
  [readTag, 'lab', '#Lab'],
])('%o reads %s from %s', (read, value, link) => {
  expect(read(link)).toBe(value);
  expect(read(`see ${link} .`.replace('see #Lab .', '#Lab'))).toBe(value);
  expect(read(value)).toBe(value);
});

it('refers from the link of a handle to the endpoint that finds the channel', () => {
  expect(() => readChannelId('https://www.youtube.com/@name')).toThrow('/channel/id-from-handle');
});
