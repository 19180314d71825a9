import Type from 'typebox';
import { sortOrders } from '../parse/comments/comment.ts';
import { commentIdPattern } from '../parse/ids.ts';
import { MAX_LINK_TEXT } from './link-parameters.ts';

/** The `videoId` parameter of endpoints about one video. */
export const videoIdParameter = Type.String({
  maxLength: MAX_LINK_TEXT,
  description: "Video ID, the 11 characters after v= in the video's URL, or a link to the video.",
  examples: ['lab-plain30'],
});

/** The `channelId` parameter of endpoints about one channel. */
export const channelIdParameter = Type.String({
  maxLength: MAX_LINK_TEXT,
  description:
    'Channel ID (UC and 22 characters), or a link that contains it. To get the ID from a handle, use /channel/id-from-handle.',
  examples: ['UC85zAYFztyDQQgidr86JyUQ'],
});

/** The `playlistId` parameter. */
export const playlistIdParameter = Type.String({
  maxLength: MAX_LINK_TEXT,
  description:
    "Playlist ID, the value of list= in the playlist's URL (PL…, UU…, OLAK5uy_…, RD…), or a link that contains it.",
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
  maxLength: MAX_LINK_TEXT,
  description: "Post ID, the part after /post/ in the post's URL (Ug…), or a link to the post.",
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
