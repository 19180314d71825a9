import { MillraceError } from '../../../contract/errors.ts';
import { noSubjects } from '../../../contract/subjects.ts';
import { defined, dig, type Fields, fields, parseJson, text, unlessEmpty } from '../../../parsing/values.ts';
import type { Extraction, Pages } from '../../platform.ts';
import { type UnreadKinds, type UnreadResponseError, unreadResponse } from '../../unread.ts';
import { readList } from '../parse/item-list.ts';
import { mixUrl } from '../parse/items/playlist.ts';
import { partsOfPosts } from '../parse/items/post-parts.ts';
import { localiseItems } from '../parse/localised-page.ts';
import { memberKinds } from '../parse/member-kinds.ts';
import { type MixPosition, readMixPanel, readMixPosition, seedOfMix } from '../parse/mix-panel.ts';
import { videoPageParts } from '../parse/watch/watch-page.ts';
import type { Innertube } from '../requests/innertube.ts';

/** The end of a page, and the visitor that it was made for. Another visitor would get another mix. */
interface MixCursor {
  readonly place: MixPosition;
  readonly visitor?: string;
}

/**
 * Extracts a mix: an endless list that YouTube generates around a video or a channel, in pages of 25. It has no separate
 * page and is displayed beside the current video.
 *
 * @throws UnreadResponseError for a response that is not a video page, or whose entries cannot be read.
 * @throws MillraceError `not_found` if YouTube has no such mix; also the errors of `requestLocalised`.
 */
export async function extractMix(id: string, innertube: Innertube, pages: Pages): Promise<Extraction> {
  const cursor = pages.cursor === undefined ? undefined : readCursor(pages.cursor);
  const place = cursor?.place ?? defined({ videoId: seedOfMix(id) });
  const body = { playlistId: id, ...place };
  const { response, translation } = await innertube.requestLocalised(
    'next',
    body,
    defined({ visitor: cursor?.visitor }),
  );
  const panel = readMixPanel(response, cursor?.place.videoId);
  if (panel === undefined) throw missingMixError(response);
  const { items, unread } = readList({ contents: panel.entries });
  if (items.length === 0 && Object.keys(unread).length > 0) throw unreadMixError(unread);
  const translatedPanel = translation === undefined ? undefined : readMixPanel(translation);
  const videos = translatedPanel === undefined ? items : localiseItems(items, readList(translatedPanel.entries).items);
  const title = translatedPanel?.title ?? panel.title;
  const [first] = items;
  const thumbnails = first !== undefined && 'thumbnails' in first ? first.thumbnails : undefined;
  const visitor = cursor?.visitor ?? text(dig(response, 'responseContext', 'visitorData'));
  const end = panel.end ?? readMixPosition({ videoId: items.at(-1)?.id });
  const next: MixCursor | undefined = end === undefined ? undefined : { place: end, ...defined({ visitor }) };
  const info = {
    id,
    ...defined({ title, thumbnails: unlessEmpty(thumbnails ?? []) }),
    endless: true,
    url: mixUrl(id, first?.id),
  };
  return {
    metadata: {
      ...defined({ title: cursor === undefined ? title : undefined }),
      ...(cursor === undefined && thumbnails?.[0] !== undefined ? { thumbnailUrl: thumbnails[0].url } : {}),
      playlist: {
        ...(cursor === undefined ? { info } : {}),
        videos,
        nextToken: pages.token(next === undefined ? undefined : JSON.stringify(next), noSubjects),
      },
    },
    parts: partsOfPosts(videos, ['playlist', 'videos']),
    unread,
  };
}

/**
 * Returns the error for a response without a mix. The response to the ID of an unknown mix is a video's page, which is
 * empty if there is no such video (recorded 2026-06).
 */
function missingMixError({ contents }: Fields): MillraceError {
  const page = dig(contents, 'twoColumnWatchNextResults');
  const names = Object.keys(fields(page));
  const isVideoPage = names.length > 0 && names.every((name) => name !== 'playlist' && videoPageParts.has(name));
  if (isVideoPage) return new MillraceError('not_found', 'YouTube has no mix with this ID.');
  return unreadMixError(memberKinds(page ?? contents));
}

function unreadMixError(unread: UnreadKinds): UnreadResponseError {
  return unreadResponse('YouTube returned the mix', unread);
}

function readCursor(cursor: string): MixCursor {
  const { place: position, visitor } = fields(parseJson(cursor));
  const place = readMixPosition(fields(position));
  if (place !== undefined) return { place, ...defined({ visitor: text(visitor) }) };
  throw new MillraceError('invalid_token', 'nextToken does not belong to a page of this mix. Start again without it.', {
    parameter: 'nextToken',
  });
}
