import Type from 'typebox';
import { MillraceError } from '../../../contract/errors.ts';
import { defined, dig, text } from '../../../parsing/values.ts';
import { defineEndpoint } from '../../define-endpoint.ts';
import { namedIn } from '../../named-ids.ts';
import { unreadResponse } from '../../unread.ts';
import { channelIdOf } from '../parse/ids.ts';
import { memberKinds } from '../parse/member-kinds.ts';
import { readHandle } from '../parse/outbound-links.ts';
import type { Innertube } from '../requests/innertube.ts';
import type { EndpointFactory } from './endpoint-factory.ts';
import { MAX_LINK_TEXT, percentDecoded, readHandle as readName } from './link-parameters.ts';

const SITE = 'https://www.youtube.com';

/** Maximum number of redirects. A renamed handle redirects to its replacement; a longer chain is a loop. */
const MAX_REDIRECTS = 3;

/** Creates the endpoint for the ID of a channel, found by its handle or legacy name (`user/…`, `c/…`). */
export const channelIdFromHandle: EndpointFactory = (openInnertube) =>
  defineEndpoint({
    path: '/channel/id-from-handle',
    summary: 'ID of a channel, by handle',
    parameters: Type.Object({
      handle: Type.String({
        maxLength: MAX_LINK_TEXT,
        description:
          'Handle of the channel with or without a leading @, its legacy name as user/… or c/…, or a link with one of them.',
        examples: ['@thelab'],
      }),
    }),
    credits: 1,
    contents: false,
    returns: ['channel.channelId'],
    subjects: ({ handle }) => ({ channels: namedIn(readName, handle).flatMap(handleOf) }),
    async extract(parameters, context) {
      const handle = readName(parameters.handle).toWellFormed();
      const path = /^(?:@|user\/|c\/)/.test(handle) ? handle : `@${handle}`;
      const channel = await resolveChannel(`${SITE}/${path}`, openInnertube({}, context));
      return { metadata: { channel } };
    },
  });

async function resolveChannel(handleUrl: string, innertube: Innertube) {
  let url = handleUrl;
  for (let step = 0; step < MAX_REDIRECTS; step += 1) {
    const { endpoint } = await innertube.request('navigation/resolve_url', { url });
    const browse = dig(endpoint, 'browseEndpoint');
    const browseId = text(dig(browse, 'browseId'));
    const channelId = channelIdOf(browseId);
    if (channelId !== undefined) {
      const handle = readHandle(dig(browse, 'canonicalBaseUrl')) ?? readHandle(url);
      return { channelId, ...defined({ handle }) };
    }
    const next = text(dig(endpoint, 'urlEndpoint', 'url'));
    if (next === undefined && browseId === undefined) {
      throw unreadResponse('YouTube returned the channel', memberKinds(endpoint));
    }
    if (next === undefined || !next.startsWith(`${SITE}/`)) break;
    url = next;
  }
  throw new MillraceError('not_found', 'YouTube has no channel with this handle.');
}

/** Returns the handle that a parameter names. A legacy name, `user/…` or `c/…`, is not a handle. */
function handleOf(name: string): readonly string[] {
  if (/^(?:user|c)\//.test(name)) return [];
  return [`@${percentDecoded(name).replace(/^@/, '')}`];
}
