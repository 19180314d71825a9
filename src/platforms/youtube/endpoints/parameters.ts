import Type from 'typebox';
import { channelIdPattern, playlistIdPattern, postIdPattern, videoIdPattern } from '../links.ts';
import { sortOrders } from '../parse/comments/comment.ts';
import { commentIdPattern } from '../parse/ids.ts';

/** The `videoId` parameter of endpoints about one video. */
export const videoIdParameter = Type.String({
  pattern: videoIdPattern.source,
  description: "Video ID: the 11 characters after v= in the video's URL.",
  examples: ['lab-plain30'],
});

/** The `channelId` parameter of endpoints about one channel. */
export const channelIdParameter = Type.String({
  pattern: channelIdPattern.source,
  description: 'Channel ID: UC and 22 characters. To get it from a handle, use /channel/id-from-handle.',
  examples: ['UC85zAYFztyDQQgidr86JyUQ'],
});

/** The `playlistId` parameter. */
export const playlistIdParameter = Type.String({
  pattern: playlistIdPattern.source,
  description: "Playlist ID: the value of list= in the playlist's URL (PL…, UU…, OLAK5uy_…, RD…).",
  examples: ['PLnjd5uX9KfBXznMBgXO3INBCCJ2vzonJR'],
});

/** The search query parameter. */
export const queryParameter = Type.String({
  maxLength: 2_000,
  description: 'Text to search for, at most 2000 characters.',
  examples: ['bridges'],
});

/** The `postId` parameter of endpoints about one post. */
export const postIdParameter = Type.String({
  pattern: postIdPattern.source,
  description: "Post ID: the part after /post/ in the post's URL. It begins with Ug.",
  examples: ['Ugkxnjd5uX9KfBXznMBgXO3INBCCJ2vzonJR'],
});

/** The `commentId` parameter. */
export const commentIdParameter = Type.String({
  pattern: commentIdPattern.source,
  description: "Comment ID. If set, the response contains the replies to this comment instead of the video's comments.",
  examples: ['Ugxd24Twv7H4twQknJR4AaABAg'],
});

/** The `sortBy` parameter of comments. */
export const sortByParameter = Type.Enum([...sortOrders], {
  description: 'Sort order of the comments. The default is TOP_COMMENTS.',
  default: 'TOP_COMMENTS',
  examples: ['NEWEST_FIRST'],
});
