import Type from 'typebox';
import { MillraceError } from '../../../contract/errors.ts';
import { langParameter } from '../../../contract/parameters.ts';
import type { Fields } from '../../../parsing/values.ts';
import { defineEndpoint } from '../../define-endpoint.ts';
import { namedIn } from '../../named-ids.ts';
import { addUnread, type UnreadKinds, type UnreadResponseError, unreadResponse } from '../../unread.ts';
import { fetchChannelPage } from '../find/channel-page.ts';
import { type ChannelAbout, readAbout } from '../parse/channel-about.ts';
import { readChannelDetails } from '../parse/channel-details.ts';
import { readChannelHeader, unreadHeader } from '../parse/channel-header.ts';
import { continuationItems } from '../parse/continuations.ts';
import { memberKinds } from '../parse/member-kinds.ts';
import type { Innertube } from '../requests/innertube.ts';
import type { EndpointFactory } from './endpoint-factory.ts';
import { readChannelId } from './link-parameters.ts';
import { channelIdParameter } from './parameters.ts';

/** Creates the endpoint for a channel: its identity, follower count and links. */
export const channelDetails: EndpointFactory = (openInnertube) =>
  defineEndpoint({
    path: '/channel/details',
    summary: 'Details of a channel',
    parameters: Type.Object({ channelId: channelIdParameter, lang: Type.Optional(langParameter) }),
    credits: 1,
    contents: false,
    returns: ['channel.channelId'],
    subjects: ({ channelId }) => ({ channels: namedIn(readChannelId, channelId) }),
    async extract(parameters, context) {
      const innertube = openInnertube(parameters, context);
      const id = readChannelId(parameters.channelId);
      const page = await fetchChannelPage(innertube, id, 'videos');
      const header = readChannelHeader(page.response.header);
      const { about, notes, unread } = await fetchAbout(innertube, header.aboutToken, context.signal);
      const channel = readChannelDetails({ ...page, header, about }, id);
      const unreadParts = addUnread(unreadHeader(page.response.header), unread);
      if (channel.title === undefined) throw unreadChannelError(page.response, unreadParts);
      return {
        metadata: {
          title: channel.title,
          ...(channel.avatar?.[0] === undefined ? {} : { thumbnailUrl: channel.avatar[0].url }),
          channel,
        },
        notes,
        unread: unreadParts,
        incomplete: notes.length > 0,
      };
    },
  });

/** Returns the error for a page without the channel's title, which every channel has. */
function unreadChannelError(response: Fields, unread: UnreadKinds): UnreadResponseError {
  return unreadResponse(
    'YouTube returned the channel',
    Object.keys(unread).length > 0 ? unread : memberKinds(response.metadata),
  );
}

interface AboutResult {
  readonly about?: ChannelAbout | undefined;
  readonly notes: readonly string[];
  readonly unread?: UnreadKinds;
}

/** Requests the "About" panel. Without it, the channel is still returned, with a note on what is missing. */
async function fetchAbout(innertube: Innertube, token: string | undefined, signal: AbortSignal): Promise<AboutResult> {
  if (token === undefined) return { notes: [] };
  try {
    const response = await innertube.request('browse', { continuation: token });
    const about = readAbout(response);
    if (about !== undefined) return { about, notes: [] };
    const kinds = (continuationItems(response) ?? [response]).map(memberKinds);
    return { notes: [missingAboutNote("YouTube's response did not contain it.")], unread: addUnread(...kinds) };
  } catch (error) {
    if (!(error instanceof MillraceError) || signal.aborted) throw error;
    return { notes: [missingAboutNote(error.message)] };
  }
}

function missingAboutNote(why: string): string {
  return `Views, country, join date and links are missing because the channel's "About" panel could not be read: ${why}`;
}
