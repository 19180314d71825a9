import { type CountMembers, countMembers } from '../../../parsing/numbers.ts';
import { defined, dig, type Fields, list, unlessEmpty } from '../../../parsing/values.ts';
import { readChannelCommand, readChannelLink } from './items/channel-ref.ts';
import { readText } from './text.ts';
import { readThumbnails } from './thumbnails.ts';

const MAX_TEXTS = 50;

/**
 * Reads the playlist itself from a response. The header has three formats, often mixed: `pageHeaderViewModel` (2025),
 * `playlistHeaderRenderer` and the sidebar (to this day). Titles are also in the metadata.
 */
export function readPlaylistInfo(response: Fields, id: string) {
  const pageHeader = dig(response, 'header', 'pageHeaderRenderer', 'content', 'pageHeaderViewModel');
  const legacyHeader = dig(response, 'header', 'playlistHeaderRenderer');
  const sidebar = list(dig(response, 'sidebar', 'playlistSidebarRenderer', 'items'));
  const primary = sidebar.map((item) => dig(item, 'playlistSidebarPrimaryInfoRenderer')).find((item) => item);
  const secondary = sidebar.map((item) => dig(item, 'playlistSidebarSecondaryInfoRenderer')).find((item) => item);
  const metadata = dig(response, 'metadata', 'playlistMetadataRenderer');
  const microformat = dig(response, 'microformat', 'microformatDataRenderer');
  return {
    id,
    ...defined({
      title:
        readText(dig(metadata, 'title')) ??
        readText(dig(microformat, 'title')) ??
        readText(dig(pageHeader, 'title', 'dynamicTextViewModel', 'text')) ??
        readText(dig(legacyHeader, 'title')),
      description:
        readText(dig(metadata, 'description')) ??
        readText(dig(microformat, 'description')) ??
        readText(dig(pageHeader, 'description', 'descriptionPreviewViewModel', 'description')) ??
        readText(dig(legacyHeader, 'descriptionText')),
      author: readAuthor(pageHeader, legacyHeader, secondary),
      thumbnails: unlessEmpty(readThumbnails(readPicture(microformat, primary, legacyHeader) ?? heroImage(pageHeader))),
      unlisted: dig(microformat, 'unlisted') === true || undefined,
    }),
    ...readHeaderCounts([
      ...headerTexts(pageHeader),
      ...legacyHeaderTexts(legacyHeader),
      ...list(dig(primary, 'stats')).map(readText),
    ]),
    url: `https://www.youtube.com/playlist?list=${id}`,
  };
}

function readPicture(microformat: unknown, primary: unknown, legacyHeader: unknown): unknown {
  const renderer = dig(primary, 'thumbnailRenderer');
  const cover =
    dig(renderer, 'playlistCustomThumbnailRenderer') ?? dig(renderer, 'playlistVideoThumbnailRenderer') ?? {};
  return (
    dig(cover, 'thumbnail') ??
    dig(microformat, 'thumbnail') ??
    dig(legacyHeader, 'playlistHeaderBanner', 'heroPlaylistThumbnailRenderer', 'thumbnail')
  );
}

function heroImage(pageHeader: unknown): unknown {
  return dig(pageHeader, 'heroImage', 'contentPreviewImageViewModel', 'image');
}

/**
 * Reads the author of a playlist, who only has a name if there is no channel (albums of several artists, for example).
 */
function readAuthor(pageHeader: unknown, legacyHeader: unknown, secondary: unknown) {
  const owner = dig(secondary, 'videoOwner', 'videoOwnerRenderer');
  const channel =
    readChannelLink(dig(owner, 'title'), { picture: dig(owner, 'thumbnail') }) ??
    readChannelLink(dig(legacyHeader, 'ownerText'));
  // Some playlists have the heading "by …" (recorded from 2025-07 on).
  if (channel !== undefined) return { ...channel, ...defined({ name: channel.name?.replace(/^by /, '') }) };
  for (const part of headerParts(pageHeader)) {
    const stack = dig(part, 'avatarStack', 'avatarStackViewModel');
    const tap =
      dig(stack, 'rendererContext', 'commandContext', 'onTap', 'innertubeCommand') ??
      dig(stack, 'text', 'commandRuns', 0, 'onTap', 'innertubeCommand');
    const name = readText(dig(stack, 'text'))?.replace(/^by /, '');
    const author = readChannelCommand(tap, name) ?? (name === undefined ? undefined : { name });
    if (author !== undefined) return author;
  }
  return undefined;
}

function headerParts(pageHeader: unknown): readonly unknown[] {
  return list(dig(pageHeader, 'metadata', 'contentMetadataViewModel', 'metadataRows'))
    .slice(0, MAX_TEXTS)
    .flatMap((row) => list(dig(row, 'metadataParts')).slice(0, MAX_TEXTS));
}

function headerTexts(pageHeader: unknown): readonly (string | undefined)[] {
  return headerParts(pageHeader).map((part) => readText(dig(part, 'text')));
}

function legacyHeaderTexts(legacyHeader: unknown): readonly (string | undefined)[] {
  const byline = list(dig(legacyHeader, 'byline')).slice(0, MAX_TEXTS);
  return [
    readText(dig(legacyHeader, 'numVideosText')),
    readText(dig(legacyHeader, 'viewCountText')),
    ...byline.map((line) => readText(dig(line, 'playlistBylineRenderer', 'text'))),
  ];
}

type HeaderCounts = CountMembers<'videoCount'> & CountMembers<'viewCount'> & { readonly updatedText?: string };

/** Classifies the texts by their contents. The first of a kind counts. */
function readHeaderCounts(texts: readonly (string | undefined)[]): HeaderCounts {
  const find = (shape: RegExp) => texts.find((text) => text !== undefined && shape.test(text));
  return {
    ...countMembers('videoCount', find(/\b(?:videos?|episodes?|lessons?|songs?|tracks?)$/i)),
    ...countMembers('viewCount', find(/\bviews?$/i)),
    ...defined({ updatedText: find(/\bupdated\b/i) }),
  };
}
