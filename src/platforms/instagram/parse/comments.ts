import { count, defined, dig, type Fields, fields, isFields, isoTime } from '../../../parsing/values.ts';
import { presentAccount, readAccount } from './account.ts';
import type { Comment } from './post.ts';
import { type ReadList, readList, unreadList } from './readable.ts';

/** The members of a comment whose names differ between the site's formats. */
interface CommentMembers {
  readonly id: string | undefined;
  readonly author: unknown;
  readonly likeCount: number | undefined;
  readonly replyCount: number | undefined;
}

/**
 * Reads the comments of a connection. A connection without a list of comments is one entry that could not be read.
 *
 * @param membersOf Returns the members of a comment in the connection's format.
 */
export function readComments(connection: unknown, membersOf: (node: Fields) => CommentMembers): ReadList<Comment> {
  const edges = dig(connection, 'edges');
  if (Array.isArray(edges))
    return readList(
      edges.map((edge) => dig(edge, 'node') ?? edge),
      read,
      'comment',
    );
  const holdsNothing = !isFields(connection) || Object.values(connection).every((value) => !Array.isArray(value));
  return holdsNothing ? { entries: [], unread: {} } : unreadList(connection, 'comments');

  function read(value: unknown): Comment | undefined {
    const node = fields(value);
    const { id, author, likeCount, replyCount } = membersOf(node);
    // Comments that consist of an image have an empty text.
    if (id === undefined || (typeof node.text !== 'string' && node.text !== null)) return undefined;
    return {
      type: 'comment',
      id,
      author: presentAccount(readAccount(author)),
      text: node.text?.trim() ?? '',
      ...defined({ publishedAt: isoTime(count(node.created_at)), likeCount, replyCount }),
    };
  }
}
