import { fields } from '../../../parsing/values.ts';
import type { EndpointParameters } from '../../platform.ts';
import { fakeSite, type Reply, type SeenRequest, type Surroundings } from '../../testing/fake-site.ts';
import { createYoutube } from '../index.ts';

/** A channel's id. */
export const channelId = 'UC16niRr50-MSBwiO3YDb3RA';

/** What an endpoint makes of a simulated site, and what it asked. */
export async function extract(
  path: string,
  parameters: EndpointParameters,
  reply: (request: SeenRequest) => Reply,
  surroundings: Surroundings = {},
) {
  const endpoint = createYoutube().endpoints.find((one) => one.path === path);
  if (endpoint === undefined) throw new Error(`there is no endpoint ${path}`);
  const site = fakeSite(reply, surroundings);
  const extraction = await endpoint.extract(parameters, site.context);
  return { ...extraction, channel: fields(extraction.metadata.channel), requests: site.requests };
}

/** A tab of a channel's page; the open one has contents. */
export const tab = (name: string, contents?: readonly unknown[]) => ({
  tabRenderer: {
    endpoint: { commandMetadata: { webCommandMetadata: { url: `/@a/${name}` } } },
    ...(contents === undefined ? {} : { selected: true, content: { richGridRenderer: { contents } } }),
  },
});

/** A channel's page of tabs. */
export const tabs = (...list: readonly unknown[]) => ({ contents: { twoColumnBrowseResultsRenderer: { tabs: list } } });

/** A video of a grid. */
export const lockup = (id: string, title = 'A') => ({
  richItemRenderer: {
    content: {
      lockupViewModel: {
        contentId: id,
        contentType: 'LOCKUP_CONTENT_TYPE_VIDEO',
        metadata: { lockupMetadataViewModel: { title: { content: title } } },
      },
    },
  },
});

/** The end of a list that goes on. */
export const nextPage = (token: string) => ({
  continuationItemRenderer: { continuationEndpoint: { continuationCommand: { token } } },
});
