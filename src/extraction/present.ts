import type { Account } from '../accounts/keys.ts';
import type { Addresses } from '../contract/addresses.ts';
import type { ExtractedContent, ExtractionResult } from '../contract/envelope.ts';
import type { MediaItem } from '../contract/media.ts';
import type { SourceMedia } from '../contract/source-media.ts';
import type { Endpoint, EndpointParameters, Platform, SourceContent } from '../platforms/platform.ts';
import { createRelayItems, needsRelay } from '../relay/relay-items.ts';
import { relayPictures } from '../relay/relay-pictures.ts';
import { planRenderables } from '../renderables/renderables.ts';
import type { Sealer } from '../sealing/sealing.ts';
import type { Extracted } from './extract.ts';
import { filterFields, type Wanted } from './field-filter.ts';
import { isProxied } from './prices.ts';
import { renderItems } from './render-items.ts';

/** What was asked, and by whom. */
export interface Asked {
  readonly platform: Platform;
  readonly endpoint: Endpoint;
  readonly parameters: EndpointParameters;
  readonly wanted: Wanted;
  readonly account: Account;
}

/** What links are made with. */
export interface LinkServices {
  readonly sealer: Sealer;
  readonly addresses: () => Addresses;
}

/** Makes the answer of an extraction: what is the caller's alone comes in here (plan, links). */
export function present(extraction: Extracted, asked: Asked, services: LinkServices): ExtractionResult {
  const { platform, endpoint, parameters, wanted, account } = asked;
  const { metadata, notes = [], linkNotes = [], exit } = extraction;
  const visited = account.visitor !== undefined;
  const proxied = visited || isProxied(parameters);
  const links = { account, exit, title: metadata.title, addresses: services.addresses(), sealer: services.sealer };
  const offer = { ...links, platform: platform.id };
  const relayed = createRelayItems(links);
  const itemOf = (media: SourceMedia) => (needsRelay(media, proxied) ? relayed(media) : media.item);
  const requested = parameters.renderableFormats as readonly string[] | undefined;
  const contents = extraction.contents?.map((content): ExtractedContent => {
    if (endpoint.renderables === undefined) return plainContent(content, itemOf);
    const { videos, audios } = planRenderables(content, requested, account.plan, endpoint.renderables);
    return {
      ...plainContent(content, itemOf),
      ...listIf('renderableVideos', wanted('contents.renderableVideos') ? renderItems(videos, offer) : []),
      ...listIf('renderableAudios', wanted('contents.renderableAudios') ? renderItems(audios, offer) : []),
    };
  });
  const answer = {
    error: null,
    ...(contents === undefined ? {} : { contents }),
    metadata: visited ? relayPictures(metadata, links) : metadata,
    notes: [...notes, ...(proxied || !wanted('contents') ? [] : linkNotes)],
  };
  return filterFields(answer, wanted);
}

function plainContent(
  { videos, audios, images }: SourceContent,
  itemOf: (media: SourceMedia) => MediaItem,
): ExtractedContent {
  return {
    ...listIf('videos', videos?.map(itemOf)),
    ...listIf('audios', audios?.map(itemOf)),
    ...listIf('images', images?.map(itemOf)),
  };
}

/** A list is present only when there is something in it. */
function listIf<Name extends string, Item>(name: Name, list: readonly Item[] = []): { [key in Name]?: Item[] } {
  return list.length === 0 ? {} : ({ [name]: list } as { [key in Name]: Item[] });
}
