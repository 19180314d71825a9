import { dig, type Fields, isFields, list } from '../../../parsing/values.ts';
import { unreadResponse } from '../../unread.ts';
import { channelIdOf } from '../parse/ids.ts';
import type { LocalisedResponse } from '../parse/localised-response.ts';
import { memberKinds } from '../parse/member-kinds.ts';
import type { Innertube } from '../requests/innertube.ts';
import { encodeMessage, encodeParams } from '../requests/protobuf.ts';

/** YouTube's name and number of each tab, by the contract's `contentType`. */
const tabs = {
  videos: { name: 'videos', number: 7 },
  shorts: { name: 'shorts', number: 19 },
  livestreams: { name: 'streams', number: 15 },
  playlists: { name: 'playlists', number: 8 },
  releases: { name: 'releases', number: 22 },
  podcasts: { name: 'podcasts', number: 23 },
} as const;

/** A `contentType` of the contract that has its own tab. */
export type ContentType = keyof typeof tabs;

/** Maximum number of redirects. A renamed channel redirects to its replacement; a longer chain is a loop. */
const MAX_REDIRECTS = 3;

/**
 * Returns the `params` that open a channel at a tab: `{[2]: name, [110]: {[1]: {[number]: {}}}}`, the same for every
 * channel.
 */
export function tabParams(type: ContentType): string {
  const { name, number } = tabs[type];
  return encodeParams([2, name], [110, encodeMessage([1, encodeMessage([number, encodeMessage()])])]);
}

/**
 * Fetches a channel's page at a tab. YouTube responds with another tab if the channel does not have the requested one.
 *
 * @throws UnreadResponseError for a response that is not a channel page.
 * @throws MillraceError the errors of `requestLocalised`.
 */
export async function fetchChannelPage(
  innertube: Innertube,
  channelId: string,
  tab: ContentType,
): Promise<LocalisedResponse> {
  let browseId = channelId;
  let kinds = {};
  for (let step = 0; step < MAX_REDIRECTS; step += 1) {
    const page = await innertube.requestLocalised('browse', { browseId, params: tabParams(tab) });
    if (isFields(page.response.contents)) return page;
    const next = redirectTarget(page.response);
    kinds = memberKinds(page.response);
    if (next === undefined) break;
    browseId = next;
  }
  throw unreadResponse('YouTube returned the channel', kinds);
}

/** Returns the channel that the site redirects to. */
function redirectTarget({ onResponseReceivedActions }: Fields): string | undefined {
  return list(onResponseReceivedActions)
    .map((action) => channelIdOf(dig(action, 'navigateAction', 'endpoint', 'browseEndpoint', 'browseId')))
    .find((id) => id !== undefined);
}
