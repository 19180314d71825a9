import { isFields } from '../../../parsing/values.ts';
import { namesIn, renamed } from '../../testing/renamed-members.ts';

/** A change of the site's format: returns a response's JSON text in the new format. */
export type Drift = (text: string, random: () => number) => string;

/** Members that lead to the entries of lists, or that identify an entry. The site has renamed many of them before. */
const structuralNames = [
  ...[
    'contents',
    'items',
    'content',
    'results',
    'continuationItems',
    'primaryContents',
    'secondaryResults',
    'playlist',
  ],
  ...['tabs', 'tabRenderer', 'endpoint', 'selected', 'url', 'sectionListRenderer', 'itemSectionRenderer'],
  ...['richGridRenderer', 'richItemRenderer', 'richSectionRenderer', 'gridRenderer', 'shelfRenderer'],
  ...['playlistVideoListRenderer', 'twoColumnBrowseResultsRenderer', 'twoColumnSearchResultsRenderer'],
  ...['twoColumnWatchNextResults', 'onResponseReceivedActions', 'onResponseReceivedEndpoints'],
  ...['onResponseReceivedCommands', 'appendContinuationItemsAction', 'reloadContinuationItemsCommand'],
  ...['continuationItemRenderer', 'continuationEndpoint', 'continuationCommand', 'token', 'commentThreadRenderer'],
  ...['commentViewModel', 'commentRenderer', 'commentKey', 'commentId', 'commentRepliesRenderer', 'replies'],
  ...['frameworkUpdates', 'entityBatchUpdate', 'mutations', 'payload', 'commentEntityPayload', 'entityKey'],
  ...['videoId', 'contentId', 'contentType', 'playlistId', 'channelId', 'postId', 'browseId', 'browseEndpoint'],
  ...['lockupViewModel', 'shortsLockupViewModel', 'videoRenderer', 'gridVideoRenderer', 'compactVideoRenderer'],
  ...['playlistVideoRenderer', 'playlistPanelVideoRenderer', 'reelItemRenderer', 'playlistRenderer', 'radioRenderer'],
  ...[
    'gridPlaylistRenderer',
    'channelRenderer',
    'backstagePostThreadRenderer',
    'backstagePostRenderer',
    'postRenderer',
  ],
  ...['header', 'metadata', 'channelMetadataRenderer', 'pageHeaderRenderer', 'videoPrimaryInfoRenderer'],
];

/** The members among them that contain whole lists. */
const listParts = structuralNames.slice(0, structuralNames.indexOf('token'));

/** Members of which a list consists. */
const listNames = ['contents', 'items', 'results', 'continuationItems', 'tabs'];

/** The changes, by name. Each one is applied everywhere in a response. */
export const drifts: Readonly<Record<string, Drift>> = {
  'renames a structural member': (text, random) =>
    renamed(text, new Set([oneOf(present(text, structuralNames), random)])),
  'renames any member or type': (text, random) => renamed(text, new Set([oneOf(['unused', ...namesIn(text)], random)])),
  'renames all renderers': (text) => text.replaceAll(/"(\w+)(?:Renderer|ViewModel)":/g, '"$1Element":'),
  'renames all renderers of one kind': (text, random) => {
    const kind = oneOf(['Video', 'Playlist', 'Lockup', 'lockup', 'Item', 'item', 'Comment', 'comment', 'rich'], random);
    return text.replaceAll(new RegExp(`"(\\w*${kind}\\w*(?:Renderer|ViewModel))":`, 'g'), '"$1V2":');
  },
  'wraps entries in a new element': (text) =>
    transform(text, (name, value) =>
      listNames.includes(name) && Array.isArray(value) ? value.map((entry) => ({ newWrapper: entry })) : value,
    ),
  'wraps the data of entries in a new member': (text) =>
    transform(text, (name, value) =>
      /(?:videoRenderer|VideoRenderer|lockupViewModel|LockupViewModel|commentThreadRenderer)$/.test(name)
        ? { data: value }
        : value,
    ),
  'replaces lists by maps': (text) =>
    transform(text, (name, value) => (listNames.includes(name) && Array.isArray(value) ? { ...value } : value)),
  'drops a list or command': (text, random) => {
    const dropped = oneOf(present(text, listParts), random);
    return transform(text, (name, value) => (name === dropped ? undefined : value));
  },
  'empties a list or command': (text, random) => {
    const emptied = oneOf(present(text, listParts), random);
    return transform(text, (name, value) => (name === emptied ? oneOf([null, {}, '', 7], random) : value));
  },
  'drops all texts': (text) =>
    transform(text, (name, value) => (/^(?:simpleText|runs|text)$/.test(name) ? undefined : value)),
  'damages many values': (text, random) =>
    transform(text, (_, value) => (random() > 0.99 ? oneOf([null, {}, '', 7], random) : value)),
};

/** Returns the names of members that a text contains; an unused one if there are none. */
function present(text: string, names: readonly string[]): readonly [string, ...string[]] {
  const [first = 'unused', ...more] = names.filter((name) => text.includes(`"${name}":`));
  return [first, ...more];
}

function oneOf<T>(values: readonly T[], random: () => number): T {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new Error('there is nothing to choose from');
  return value;
}

/** Replaces members of a JSON text, innermost first. */
function transform(text: string, change: (name: string, value: unknown) => unknown): string {
  return JSON.stringify(
    JSON.parse(text, function (this: unknown, name: string, value: unknown) {
      return isFields(this) && name !== '' ? change(name, value) : value;
    }),
  );
}
