import { fields } from '../../../parsing/values.ts';
import type { EndpointParameters } from '../../platform.ts';
import { fakeSite, type Reply, type SeenRequest, type Surroundings } from '../../testing/fake-site.ts';
import { createYoutube } from '../index.ts';

/** The channel ID of these tests. */
export const channelId = 'UC16niRr50-MSBwiO3YDb3RA';

/** Runs an endpoint against a simulated site. Returns the result and the requests. */
export async function extract(
  path: string,
  parameters: EndpointParameters,
  reply: (request: SeenRequest) => Reply,
  surroundings: Surroundings = {},
) {
  const endpoint = createYoutube().endpoints.find((one) => one.path === path);
  if (endpoint === undefined) throw new Error(`no endpoint has the path ${path}`);
  const site = fakeSite(reply, surroundings);
  const extraction = await endpoint.extract(parameters, site.context);
  return { ...extraction, channel: fields(extraction.metadata.channel), requests: site.requests };
}

/** Returns a tab of a channel's page; the open one has contents. */
export const tab = (name: string, contents?: readonly unknown[]) => ({
  tabRenderer: {
    endpoint: { commandMetadata: { webCommandMetadata: { url: `/@a/${name}` } } },
    ...(contents === undefined ? {} : { selected: true, content: { richGridRenderer: { contents } } }),
  },
});

/** Returns a channel page with tabs. */
export const tabs = (...list: readonly unknown[]) => ({ contents: { twoColumnBrowseResultsRenderer: { tabs: list } } });

/** Returns a video of a grid. */
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

/** Returns the last entry of a list that continues: it contains the token of the next page. */
export const nextPage = (token: string) => ({
  continuationItemRenderer: { continuationEndpoint: { continuationCommand: { token } } },
});
