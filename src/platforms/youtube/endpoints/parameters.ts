import Type from 'typebox';
import { channelIdPattern, playlistIdPattern, postIdPattern, videoIdPattern } from '../links.ts';
import { sortOrders } from '../parse/comments/comment.ts';
import { commentIdPattern } from '../parse/ids.ts';

/** `videoId` of the endpoints about one video. */
export const videoIdParameter = Type.String({
  pattern: videoIdPattern.source,
  description: 'Video id: the 11 characters behind v= in the address of the video.',
  examples: ['lab-plain30'],
});

/** `channelId` of the endpoints about one channel. */
export const channelIdParameter = Type.String({
  pattern: channelIdPattern.source,
  description: 'Channel id: UC and 22 characters. /channel/id-from-handle finds that of a handle.',
  examples: ['UC85zAYFztyDQQgidr86JyUQ'],
});

/** `playlistId`. */
export const playlistIdParameter = Type.String({
  pattern: playlistIdPattern.source,
  description: 'Playlist id: what stands behind list= in the address of the playlist (PL…, UU…, OLAK5uy_…, RD…).',
  examples: ['PLnjd5uX9KfBXznMBgXO3INBCCJ2vzonJR'],
});

/** Text that is searched for. */
export const queryParameter = Type.String({
  maxLength: 2_000,
  description: 'Text to search for, of 2000 characters at most.',
  examples: ['bridges'],
});

/** `postId` of the endpoints about one post. */
export const postIdParameter = Type.String({
  pattern: postIdPattern.source,
  description: 'Post id: what stands behind /post/ in the address of the post; it begins with Ug.',
  examples: ['Ugkxnjd5uX9KfBXznMBgXO3INBCCJ2vzonJR'],
});

/** `commentId`. */
export const commentIdParameter = Type.String({
  pattern: commentIdPattern.source,
  description: 'Comment id: gives the replies to that comment instead of the comments of the video.',
  examples: ['Ugxd24Twv7H4twQknJR4AaABAg'],
});

/** `sortBy` of comments. */
export const sortByParameter = Type.Enum([...sortOrders], {
  description: 'Order of the comments; TOP_COMMENTS if it is left out.',
  default: 'TOP_COMMENTS',
  examples: ['NEWEST_FIRST'],
});
