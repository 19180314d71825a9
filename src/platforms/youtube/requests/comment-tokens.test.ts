import { expect, test } from 'vitest';
import { requestOracleToken } from '../testing/youtubei-oracle.ts';
import { postCommentsToken, videoCommentsToken } from './comment-tokens.ts';
import { postParams } from './post-params.ts';

const videoId = 'dQw4w9WgXcQ';
const channelId = 'UC16niRr50-MSBwiO3YDb3RA';
const postId = 'UgkxSvWRZtiCPAdVhqpAt7PCYPZ7c-Sf-gzx';
const commentId = 'UgwSOM0QHBLysE3vZE54AaABAg';

const bytes = (token: string) => Buffer.from(decodeURIComponent(token), 'base64url').toString('latin1');

test.each(['TOP_COMMENTS', 'NEWEST_FIRST'] as const)(
  "the token for a post's comments in order %s equals that of youtubei.js",
  async (sortBy) => {
    const post = await requestOracleToken((oracle) => oracle.getPostComments(postId, channelId, sortBy));
    expect(bytes(postCommentsToken(channelId, postId, sortBy))).toBe(bytes(post));
  },
);

test('the token for a linked comment equals that of youtubei.js', async () => {
  const commentToken = await requestOracleToken((oracle) => oracle.getComments(videoId, 'NEWEST_FIRST', commentId));
  expect(bytes(videoCommentsToken(videoId, 'NEWEST_FIRST', commentId))).toBe(bytes(commentToken));
});

test("the params for a post's page equal those of youtubei.js", async () => {
  const params = await requestOracleToken((oracle) => oracle.getPost(postId, channelId));
  expect(postParams(channelId, postId)).toBe(params);
});
