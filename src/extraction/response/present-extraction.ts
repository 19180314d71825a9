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
import { mapInSteps, type Steps } from '../../waiting/steps.ts';
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
 * requested. Each link is a step, because sealing one takes a tenth of a millisecond and a post can have thousands.
 *
 * @param keepLongOrder Called with each order that must be stored before the response is sent.
 */
export function* presentExtraction(
  extraction: SourceExtraction,
  request: ExtractionRequest,
  services: LinkServices,
  keepLongOrder: (order: LongOrder) => void,
): Steps<ExtractionResult> {
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
  function* present(content: SourceContent, index: number): Steps<ExtractedContent> {
    const origin = originOf(content, index);
    const toRelayItem = createRelayItemBuilder(linkContext, origin);
    const itemOf = (media: SourceMedia) => (needsRelay(media, isRelayed) ? toRelayItem(media) : media.item);
    const plain = yield* plainContent(content, itemOf);
    if (renders === undefined) return plain;
    const { videos, audios } = renders.select(content, index);
    const itemContext = { ...renderContext, origin };
    const requestedVideos = isRequested('contents.renderableVideos') ? videos : [];
    const requestedAudios = isRequested('contents.renderableAudios') ? audios : [];
    return {
      ...plain,
      ...listIf('renderableVideos', yield* createRenderableItems(requestedVideos, itemContext)),
      ...listIf('renderableAudios', yield* createRenderableItems(requestedAudios, itemContext)),
    };
  }
  const contents: ExtractedContent[] = [];
  for (const [index, content] of (extraction.contents ?? []).entries()) contents.push(yield* present(content, index));
  const result = {
    error: null,
    ...(extraction.contents === undefined ? {} : { contents }),
    metadata: isVisitor ? yield* relayPictureLinks(metadata, linkContext, ownSubjects) : metadata,
    notes: [
      ...notes,
      ...unreadNotes(unread),
      ...(isRequested('contents.renderableVideos') ? (renders?.notes ?? []) : []),
      ...(isRelayed || !isRequested('contents') ? [] : linkNotes),
    ],
  };
  return filterFields(result, isRequested);
}

function* plainContent(
  { videos = [], audios = [], images = [] }: SourceContent,
  itemOf: (media: SourceMedia) => MediaItem,
): Steps<ExtractedContent> {
  return {
    ...listIf('videos', yield* mapInSteps(videos, itemOf)),
    ...listIf('audios', yield* mapInSteps(audios, itemOf)),
    ...listIf('images', yield* mapInSteps(images, itemOf)),
  };
}

/** Returns a member for a list that is not empty. */
function listIf<Name extends string, Item>(name: Name, list: readonly Item[]): { [key in Name]?: Item[] } {
  return list.length === 0 ? {} : ({ [name]: list } as { [key in Name]: Item[] });
}
