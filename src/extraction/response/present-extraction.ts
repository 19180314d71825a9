import type { Addresses } from '../../contract/addresses.ts';
import type { ExtractedContent, ExtractionResult } from '../../contract/envelope.ts';
import type { MediaItem } from '../../contract/media-items.ts';
import type { ItemOrigin } from '../../contract/media-origin.ts';
import type { SourceMedia } from '../../contract/source-media.ts';
import { noSubjects } from '../../contract/subjects.ts';
import type { SourceContent } from '../../platforms/platform.ts';
import { textsOfSubjects } from '../../platforms/subjects.ts';
import { relayPictureLinks } from '../../relay/picture-links.ts';
import { createRelayItemBuilder, needsRelay } from '../../relay/relay-items.ts';
import type { LongOrder } from '../../render/jobs/execution-url.ts';
import type { Sealer } from '../../sealing/sealer.ts';
import { subjectsOfExtraction, subjectsOfQuery } from '../extraction-subjects.ts';
import type { ExtractionRequest } from '../request/read-request.ts';
import type { SourceExtraction } from '../source/extract.ts';
import { createContentRenders } from './content-renders.ts';
import { filterFields } from './filter-fields.ts';
import { isProxied } from './prices.ts';
import { createRenderableItems } from './renderable-items.ts';
import { unreadNotes } from './unread-notes.ts';

/** Dependencies for creating links. */
export interface LinkServices {
  readonly sealer: Sealer;
  readonly addresses: () => Addresses;
  /** Whether source links that no longer work are replaced. */
  readonly healsLinks: boolean;
}

/**
 * Presents an extraction to its caller: applies the plan, creates the links, and leaves out parts that were not
 * requested.
 *
 * @param keepLongOrder Called with each order that must be stored before the response is sent. Its error becomes that
 * of the item.
 */
export function presentExtraction(
  extraction: SourceExtraction,
  request: ExtractionRequest,
  services: LinkServices,
  keepLongOrder: (order: LongOrder) => void,
): ExtractionResult {
  const { platform, endpoint, parameters, query, isRequested, renderOptions, account } = request;
  const { metadata, notes = [], unread, linkNotes = [], exit, profile } = extraction;
  const isVisitor = account.visitor !== undefined;
  const isRelayed = isVisitor || isProxied(parameters);
  const linkContext = {
    account,
    exit,
    title: metadata.title,
    addresses: services.addresses(),
    sealer: services.sealer,
    healsLinks: services.healsLinks,
  };
  const title = renderOptions.tags?.title ?? metadata.title;
  const renderContext = { ...linkContext, title, platform: platform.id, keepLongOrder };
  const contentCount = extraction.contents?.length ?? 0;
  const ownSubjects = [...subjectsOfExtraction(platform, extraction), ...subjectsOfQuery(platform, query)];
  const originOf = (content: SourceContent, index: number): ItemOrigin => {
    const subjects = [...ownSubjects, ...textsOfSubjects(platform, content.subjects ?? noSubjects)];
    return {
      platform: platform.id,
      endpoint: endpoint.path,
      parameters: query.parameters,
      item: query.item,
      content: index,
      ...(contentCount > 1 ? { contentCount } : {}),
      ...(profile === undefined ? {} : { profile }),
      ...(subjects.length === 0 ? {} : { subjects: [...new Set(subjects)] }),
    };
  };
  const renders =
    endpoint.renderables && createContentRenders(extraction, renderOptions, account.plan, endpoint.renderables);
  const contents = extraction.contents?.map((content, index): ExtractedContent => {
    const origin = originOf(content, index);
    const toRelayItem = createRelayItemBuilder(linkContext, origin);
    const itemOf = (media: SourceMedia) => (needsRelay(media, isRelayed) ? toRelayItem(media) : media.item);
    if (renders === undefined) return plainContent(content, itemOf);
    const { videos, audios } = renders.select(content, index);
    const itemContext = { ...renderContext, origin };
    return {
      ...plainContent(content, itemOf),
      ...listIf(
        'renderableVideos',
        isRequested('contents.renderableVideos') ? createRenderableItems(videos, itemContext) : [],
      ),
      ...listIf(
        'renderableAudios',
        isRequested('contents.renderableAudios') ? createRenderableItems(audios, itemContext) : [],
      ),
    };
  });
  const result = {
    error: null,
    ...(contents === undefined ? {} : { contents }),
    metadata: isVisitor ? relayPictureLinks(metadata, linkContext, ownSubjects) : metadata,
    notes: [
      ...notes,
      ...unreadNotes(unread),
      ...(isRequested('contents.renderableVideos') ? (renders?.notes ?? []) : []),
      ...(isRelayed || !isRequested('contents') ? [] : linkNotes),
    ],
  };
  return filterFields(result, isRequested);
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

/** Returns a member for a list that is not empty. */
function listIf<Name extends string, Item>(name: Name, list: readonly Item[] = []): { [key in Name]?: Item[] } {
  return list.length === 0 ? {} : ({ [name]: list } as { [key in Name]: Item[] });
}
