import type { ListItem } from '../../../../src/contract/metadata.ts';
import { MillraceCollectionError } from '../errors.ts';
import { type ExtractionResponse, readPage } from '../extraction.ts';
import { defined, listAt, textAt } from '../read-members.ts';
import type { RecognisedLink } from '../recognise-link.ts';
import type { EntryFacts } from './collection-entry.ts';
import { attachmentEntries, contentEntries } from './content-entries.ts';
import { entryOfListItem } from './list-item-entry.ts';

/** A page of the entries of a collection. */
export interface EntryPage {
  readonly entries: readonly EntryFacts[];
  readonly nextToken: string | undefined;
}

/** A list of entries: the request that returns it, and its reader. */
export interface EntryList {
  readonly link: RecognisedLink;
  /**
   * Reads a page of the list.
   *
   * @throws MillraceCollectionError if the response has no list.
   */
  readonly read: (response: ExtractionResponse) => EntryPage;
}

/** Sends the request of a link, for the page of a token or the first one. */
export type SendRequest = (link: RecognisedLink, pageToken?: string) => Promise<ExtractionResponse>;

/** Finds the lists of a collection. */
type ListFinder = (link: RecognisedLink, send: SendRequest) => Promise<readonly EntryList[]>;

const itself: ListFinder = async (link) => [pagedList(link)];

const reelsAndPhotos: ListFinder = async ({ parameters }) => [
  pagedList({ platform: 'p3', endpoint: 'profile/reels', parameters }),
  pagedList({ platform: 'p3', endpoint: 'profile/photos', parameters }),
];

/** The collections, by platform and endpoint. */
const finders: Readonly<Record<string, ListFinder>> = {
  'p1 playlist': itself,
  'p1 search': itself,
  'p1 search/video': itself,
  'p1 search/channel': itself,
  'p1 search/playlist': itself,
  'p1 search/movie': itself,
  'p1 hashtag': itself,
  'p1 channel/videos': itself,
  'p1 channel/playlists': itself,
  'p1 channel/posts': itself,
  'p1 channel/details': async ({ parameters: { channelId = '' } }) => [uploads(channelId)],
  async 'p1 channel/id-from-handle'(link, send) {
    const { metadata } = await send(link);
    const channelId = metadata.channel?.channelId;
    if (channelId === undefined) throw notListed('YouTube did not return the ID of this channel. Try again.');
    return [uploads(channelId)];
  },
  'p2 user/profile/details': async (link) => [{ link, read: readProfilePosts }],
  'p3 profile/details': reelsAndPhotos,
  'p3 profile/about': reelsAndPhotos,
  'p3 profile/reels': itself,
  'p3 profile/photos': itself,
  async 'p4 user/details'() {
    throw notListed(
      'TikTok does not list the posts of a profile to signed-out visitors. Use the links of its posts instead.',
    );
  },
};

/**
 * Whether a link leads to a list: a playlist, channel, search, hashtag or profile. A post can also have several items,
 * but only its result shows them. The collection of a profile whose platform does not list posts throws `not_listed`.
 */
export function isCollection(link: RecognisedLink): boolean {
  const { platform, endpoint } = link;
  return Object.hasOwn(finders, `${platform} ${endpoint}`);
}

/**
 * Returns the lists that contain the entries of a link. For a channel's handle, sends a request for the channel's ID.
 *
 * @throws MillraceCollectionError if the link is incomplete or the platform does not list the entries; the errors of
 * the request.
 */
export async function findEntryLists(link: RecognisedLink, send: SendRequest): Promise<readonly EntryList[]> {
  if (link.missing !== undefined) {
    throw new MillraceCollectionError(
      'incomplete_link',
      `The link does not contain ${link.missing.join(', ')}, which the platform requires. Use a link that contains it.`,
    );
  }
  const find = isCollection(link) ? finders[`${link.platform} ${link.endpoint}`] : undefined;
  return find === undefined ? [{ link, read: readContents }] : await find(link, send);
}

function pagedList(link: RecognisedLink): EntryList {
  return {
    link,
    read(response) {
      const { items, nextToken } = readPage(response, link.platform, link.endpoint, link.parameters);
      return { entries: items.map(entryOfListItem), nextToken };
    },
  };
}

/** Returns the playlist of all uploads of a channel, newest first, which YouTube maintains for each channel. */
function uploads(channelId: string): EntryList {
  return pagedList({
    platform: 'p1',
    endpoint: 'playlist',
    parameters: { playlistId: channelId.replace(/^UC/, 'UU') },
  });
}

/** Reads the latest posts of a p2 profile. */
function readProfilePosts({ metadata: { author } }: ExtractionResponse): EntryPage {
  if (!Array.isArray(author?.posts) && author?.postCount !== 0) {
    throw notListed(
      author?.private === true
        ? 'This Instagram account is private, so its posts are not listed.'
        : 'Instagram did not list the posts of this profile. Try again later, or use the links of its posts.',
    );
  }
  // The service guarantees the required members of a list item.
  const posts = listAt(author, 'posts') as ListItem[];
  const name = defined({ author: textAt(author, 'name') ?? textAt(author, 'username') });
  return { entries: posts.map((post) => ({ ...entryOfListItem(post), ...name })), nextToken: undefined };
}

function readContents(response: ExtractionResponse): EntryPage {
  const { contents, metadata } = response;
  if (contents === undefined && metadata.post === undefined)
    throw notListed('This link leads to nothing that has entries.');
  return {
    entries: contents === undefined ? attachmentEntries(response) : contentEntries(response),
    nextToken: undefined,
  };
}

function notListed(message: string): MillraceCollectionError {
  return new MillraceCollectionError('not_listed', message);
}
