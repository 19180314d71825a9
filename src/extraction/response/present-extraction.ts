import type { Addresses } from '../../contract/addresses.ts';
import type { ContentMetadata, ExtractedContent, ExtractionResult } from '../../contract/envelope.ts';
import type { MediaItem } from '../../contract/media-items.ts';
import type { SourceMedia } from '../../contract/source-media.ts';
import { partAt, withoutParts } from '../../platforms/metadata-parts.ts';
import type { SourceContent } from '../../platforms/platform.ts';
import { relayPictureLinks } from '../../relay/picture-links.ts';
import { createRelayItemBuilder, needsRelay } from '../../relay/relay-items.ts';
import type { LongOrder } from '../../render/jobs/execution-url.ts';
import type { RenderableFile } from '../../renderables/select-renderables.ts';
import type { Sealer } from '../../sealing/sealer.ts';
import { mapInSteps, type Steps } from '../../waiting/steps.ts';
import { type BlockedParts, blockedPartsNotes } from '../blocked-parts.ts';
import { subjectsOfParts } from '../extraction-subjects.ts';
import type { ExtractionRequest } from '../request/read-request.ts';
import type { SourceExtraction } from '../source/extract.ts';
import { createContentRenders } from './content-renders.ts';
import { filterFields } from './filter-fields.ts';
import { createItemOrigins } from './item-origins.ts';
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
 * @param blocked The parts to leave out.
 * @param keepLongOrder Called with each order that must be stored before the response is sent.
 */
export function* presentExtraction(
  extraction: SourceExtraction,
  request: ExtractionRequest,
  blocked: BlockedParts,
  services: LinkServices,
  keepLongOrder: (order: LongOrder) => void,
): Steps<ExtractionResult> {
  const { platform, endpoint, parameters, isRequested, renderOptions, account } = request;
  const { notes = [], unread, linkNotes = [], exit } = extraction;
  const metadata = withoutParts(extraction.metadata, blocked.metadata);
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
  const origins = createItemOrigins(extraction, request);
  const kept = [...(extraction.contents ?? []).entries()].filter(([position]) => !blocked.contents.has(position));
  const renders =
    endpoint.renderables &&
    createContentRenders(
      {
        contents: kept.map(([, content]) => content),
        isSingle: extraction.contents?.length === 1,
        metadata,
        // They may be those of a content item that is left out.
        captions: blocked.contents.size === 0 ? (extraction.captions ?? []) : [],
        sound: blocked.sound ? undefined : extraction.sound,
      },
      renderOptions,
      account.plan,
      endpoint.renderables,
    );
  /** @param index Its position among the contents of the response. */
  function* present(content: SourceContent, position: number, index: number): Steps<ExtractedContent> {
    const origin = origins.ofContent(position);
    const toRelayItem = createRelayItemBuilder(linkContext, origin);
    const itemOf = (media: SourceMedia) => (needsRelay(media, isRelayed) ? toRelayItem(media) : media.item);
    const plain = yield* plainContent(content, itemOf);
    if (renders === undefined) return plain;
    const { videos, audios } = renders.select(content, index);
    const originOf = ({ job }: RenderableFile) => origins.ofFile(origin, job.inputs);
    const itemContext = { ...renderContext, originOf };
    const requestedVideos = isRequested('contents.renderableVideos') ? videos : [];
    const requestedAudios = isRequested('contents.renderableAudios') ? audios : [];
    return {
      ...plain,
      ...listIf('renderableVideos', yield* createRenderableItems(requestedVideos, itemContext)),
      ...listIf('renderableAudios', yield* createRenderableItems(requestedAudios, itemContext)),
    };
  }
  function relayed(shown: ContentMetadata): Steps<ContentMetadata> {
    const parts = subjectsOfParts(platform, extraction).metadata;
    const subjectsOfPart = new Map(parts.map(({ path, subjects }) => [partAt(shown, path), subjects]));
    return relayPictureLinks(shown, linkContext, origins.subjects, subjectsOfPart);
  }
  const contents: ExtractedContent[] = [];
  for (const [index, [position, content]] of kept.entries()) {
    contents.push(yield* present(content, position, index));
  }
  const result = {
    error: null,
    ...(extraction.contents === undefined ? {} : { contents }),
    metadata: isVisitor ? withoutParts(yield* relayed(extraction.metadata), blocked.metadata) : metadata,
    notes: [
      ...notes,
      ...unreadNotes(unread),
      ...blockedPartsNotes(blocked),
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
