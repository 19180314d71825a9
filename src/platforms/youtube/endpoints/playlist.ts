import Type from 'typebox';
import { MillraceError } from '../../../contract/errors.ts';
import { countryCodeParameter, langParameter, nextTokenParameter } from '../../../contract/parameters.ts';
import { defined, dig, type Fields, unlessEmpty } from '../../../parsing/values.ts';
import { defineEndpoint } from '../../define-endpoint.ts';
import { namedIn } from '../../named-ids.ts';
import { subjectsOfMetadata } from '../../result-subjects.ts';
import { extractMix } from '../find/mix.ts';
import { ownerOfPlaylist } from '../parse/ids.ts';
import type { ListItem } from '../parse/items/list-item.ts';
import { isMix } from '../parse/items/playlist.ts';
import { partsOfPosts } from '../parse/items/post-parts.ts';
import { readLocalisedPage } from '../parse/localised-page.ts';
import { readPlaylistInfo } from '../parse/playlist-info.ts';
import { readNotices } from '../parse/refusal.ts';
import { readText } from '../parse/text.ts';
import type { EndpointFactory } from './endpoint-factory.ts';
import { readPlaylistId } from './link-parameters.ts';
import { playlistIdParameter } from './parameters.ts';

/** `{[104]: {[1]: 0}}`: also lists videos that cannot be played. */
const WITH_UNAVAILABLE_VIDEOS = 'wgYCCAA=';

/** Creates the endpoint for a playlist and its videos in pages of 100; mixes have pages of 25. */
export const playlist: EndpointFactory = (openInnertube) =>
  defineEndpoint({
    path: '/playlist',
    summary: 'A playlist and its videos',
    parameters: Type.Object({
      playlistId: playlistIdParameter,
      nextToken: Type.Optional(nextTokenParameter),
      countryCode: Type.Optional(countryCodeParameter),
      lang: Type.Optional(langParameter),
    }),
    credits: 1,
    contents: false,
    returns: ['playlist.videos', 'playlist.nextToken'],
    subjects: ({ playlistId }) => {
      const items = namedIn(readPlaylistId, playlistId);
      return { items, channels: items.flatMap((id) => ownerOfPlaylist(id) ?? []) };
    },
    async extract(parameters, context) {
      const { pages } = context;
      const id = readPlaylistId(parameters.playlistId);
      const innertube = openInnertube(parameters, context);
      if (isMix(id)) return await extractMix(id, innertube, pages);
      const page = await innertube.requestLocalised(
        'browse',
        pages.cursor === undefined
          ? { browseId: `VL${id}`, params: WITH_UNAVAILABLE_VIDEOS }
          : { continuation: pages.cursor },
      );
      const { items, continuation, messages, unread } = readLocalisedPage(page);
      const info = pages.cursor === undefined ? readInfo(page, id) : undefined;
      return {
        metadata: {
          ...(info?.title === undefined ? {} : { title: info.title }),
          ...(info?.thumbnails?.[0] === undefined ? {} : { thumbnailUrl: info.thumbnails[0].url }),
          playlist: {
            ...(info === undefined ? {} : { info }),
            videos: items,
            ...defined({ messages: unlessEmpty([...readNotices(page.response), ...messages]) }),
            nextToken: pages.token(continuation, subjectsOfMetadata({ playlist: { info } })),
          },
        },
        parts: partsOfPosts(items, ['playlist', 'videos']),
        notes: unplayableNotes(items),
        unread,
      };
    },
  });

function unplayableNotes(items: readonly ListItem[]): readonly string[] {
  const number = items.filter((item) => 'playable' in item && item.playable === false).length;
  return number === 0 ? [] : [`${number} of these ${items.length} videos cannot be played.`];
}

/** Reads the playlist itself, with its texts in the caller's language. Later pages do not contain it. */
function readInfo({ response, translation }: { readonly response: Fields; readonly translation?: Fields }, id: string) {
  if (response.metadata === undefined && response.header === undefined && response.sidebar === undefined) {
    throw new MillraceError('invalid_response_data', 'YouTube returned no playlist. Try again.');
  }
  const info = readPlaylistInfo(response, id);
  const metadata = dig(translation, 'metadata', 'playlistMetadataRenderer');
  const title = readText(dig(metadata, 'title'));
  const description = readText(dig(metadata, 'description'));
  return {
    ...info,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
  };
}
