import Type from 'typebox';
import { MillraceError } from '../../../contract/errors.ts';
import { langParameter } from '../../../contract/parameters.ts';
import { defineEndpoint } from '../../define-endpoint.ts';
import { fetchChannelPage } from '../find/channel-page.ts';
import { type ChannelAbout, readAbout } from '../parse/channel-about.ts';
import { readChannelDetails } from '../parse/channel-details.ts';
import { readChannelHeader } from '../parse/channel-header.ts';
import type { Innertube } from '../requests/innertube.ts';
import type { EndpointFactory } from './endpoint-factory.ts';
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
    async extract(parameters, context) {
      const innertube = openInnertube(parameters, context);
      const id = parameters.channelId;
      const page = await fetchChannelPage(innertube, id, 'videos');
      const header = readChannelHeader(page.response.header);
      const { about, notes } = await fetchAbout(innertube, header.aboutToken, context.signal);
      const channel = readChannelDetails({ ...page, header, about }, id);
      return {
        metadata: {
          ...(channel.title === undefined ? {} : { title: channel.title }),
          ...(channel.avatar?.[0] === undefined ? {} : { thumbnailUrl: channel.avatar[0].url }),
          channel,
        },
        notes,
        incomplete: notes.length > 0,
      };
    },
  });

interface AboutResult {
  readonly about?: ChannelAbout | undefined;
  readonly notes: readonly string[];
}

/** Requests the "About" panel. Without it, the channel is still returned, with a note on what is missing. */
async function fetchAbout(innertube: Innertube, token: string | undefined, signal: AbortSignal): Promise<AboutResult> {
  if (token === undefined) return { notes: [] };
  try {
    const about = readAbout(await innertube.request('browse', { continuation: token }));
    return about === undefined
      ? { notes: [missingAboutNote("YouTube's response did not contain it.")] }
      : { about, notes: [] };
  } catch (error) {
    if (!(error instanceof MillraceError) || signal.aborted) throw error;
    return { notes: [missingAboutNote(error.message)] };
  }
}

function missingAboutNote(why: string): string {
  return `Views, country, join date and links are missing because the channel's "About" panel could not be read: ${why}`;
}
