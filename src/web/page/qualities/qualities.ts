import { codecsText } from '#client/codec-text.ts';
import type { ExtractedContent, MediaItem, MediaMetadata, RenderableMediaItem } from '#client/index.ts';
import { messages } from '../language/language.ts';
import { type Compatibility, compatibilityOf, containerText, isPlaylist } from './codecs.ts';
import { type QualityName, qualityName } from './quality-name.ts';

/** A renderable item that can be started. */
export type ReadyItem = Extract<RenderableMediaItem, { renderConfig: object }>;

/**
 * How a quality is delivered: by a render that can be started or must be requested first, by a link, or not at all,
 * with the reason.
 */
export type Delivery =
  | { readonly by: 'render'; readonly item: ReadyItem }
  | { readonly by: 'request' }
  | { readonly by: 'link'; readonly item: MediaItem }
  | { readonly by: 'none'; readonly reason: string };

/** A file that the visitor may select. */
export interface Quality extends QualityName {
  /** The label with which it is requested. */
  readonly label: string;
  readonly kind: 'video' | 'audio';
  readonly container: string;
  /** Empty if unknown. */
  readonly codec: string;
  /** Undefined if unknown. */
  readonly compatibility: Compatibility | undefined;
  /** Undefined if unknown. For a file that has to be rendered, the sum of its streams. */
  readonly bytes: number | undefined;
  readonly exact: boolean;
  readonly hasAudio: boolean;
  readonly delivery: Delivery;
}

/** The format that the page requests for every result (`fetch-result.ts`). */
const REQUESTED_FORMAT = 'all_highres';

const noMetadata: MediaMetadata = { mime_type: '', width: 0, height: 0, has_audio: true };

/** The codecs that renders prefer, by their names in `codecs.ts`. */
const preferredCodecs = ['H.264', 'AV1', 'VP9', 'H.265'];

/**
 * Lists the qualities of a content item, largest first, then the audio-only ones.
 *
 * @param requestable Whether a quality that is not part of the result can be requested by its label.
 */
export function qualitiesOf(content: ExtractedContent, requestable: (label: string) => boolean): readonly Quality[] {
  const { videos = [], audios = [], renderableVideos = [], renderableAudios = [] } = content;
  // Platforms label the same quality in several ways, such as `hls-720` and `http-720`.
  const groups = Map.groupBy(videos, (item) => JSON.stringify(qualityName(item)));
  const videoQualities = [...groups.values()].map((items) => {
    const height = items[0]?.metadata.height ?? 0;
    return { height, quality: videoQuality(items, renderableVideos, requestable, audios) };
  });
  const sortedQualities = videoQualities.toSorted((a, b) => b.height - a.height).map(({ quality }) => quality);
  const audioQualities = renderableAudios.map((item) => renderedAudio(item));
  return withoutDeadRows([
    ...sortedQualities,
    ...(audioQualities.length > 0 ? audioQualities : downloadableAudios(audios)),
  ]);
}

/** Removes qualities that can never be files, unless there is nothing else. */
function withoutDeadRows(qualities: readonly Quality[]): readonly Quality[] {
  const { segmented } = messages().quality;
  const useful = qualities.filter(({ delivery }) => delivery.by !== 'none' || delivery.reason !== segmented);
  return useful.length === 0 ? qualities : useful;
}

/** @param items The files and streams of one quality: at least one. */
function videoQuality(
  items: readonly MediaItem[],
  renderableVideos: readonly RenderableMediaItem[],
  requestable: (label: string) => boolean,
  audios: readonly MediaItem[],
): Quality {
  const rank = ({ metadata }: MediaItem) => {
    const index = preferredCodecs.findIndex((codec) => codecsText(metadata).includes(codec));
    return index < 0 ? preferredCodecs.length : index;
  };
  const [first] = items.toSorted((a, b) => rank(a) - rank(b)) as [MediaItem];
  const withAudio = items.find(({ metadata }) => metadata.has_audio && !isPlaylist(metadata));
  const renderables = renderableVideos.filter(({ label }) => items.some((item) => item.label === label));
  const renderable = renderables.find((item) => item.renderConfig !== undefined) ?? renderables[0];
  const refusal = isPlaylist(first.metadata) ? refusalOfAll(renderableVideos) : undefined;
  const delivery = deliveryOf(renderable ?? refusal, withAudio, first, requestable);
  const source = delivery.by === 'link' ? delivery.item : first;
  const { metadata } = source;
  const output = delivery.by === 'render' ? delivery.item.metadata : undefined;
  const needsRender = delivery.by === 'render' || delivery.by === 'request';
  const container = needsRender ? 'MP4' : containerText(metadata);
  const codec = codecsText(metadata);
  return {
    ...qualityName(first),
    label: delivery.by === 'render' ? delivery.item.label : source.label,
    kind: 'video',
    container,
    codec,
    compatibility: compatibilityOf(container, codec),
    bytes: output?.content_length ?? sizeOf(metadata, needsRender && !metadata.has_audio ? audios : undefined),
    exact: !needsRender || output?.content_length !== undefined,
    hasAudio: output?.has_audio ?? (delivery.by === 'request' || metadata.has_audio),
    delivery,
  };
}

/** Returns the error that applies to every quality: it has the requested format, such as `all_highres`, as its label. */
function refusalOfAll(renderableVideos: readonly RenderableMediaItem[]): RenderableMediaItem | undefined {
  return renderableVideos.find(({ label, error }) => error !== undefined && label === REQUESTED_FORMAT);
}

/** Returns the bytes of a video, plus the bytes of the audio to be merged with it. */
function sizeOf(
  { content_length: bytes }: MediaMetadata,
  audios: readonly MediaItem[] | undefined,
): number | undefined {
  if (audios === undefined || bytes === undefined) return bytes;
  const sizes = audios.flatMap(({ metadata }) =>
    codecsText(metadata) === 'AAC' ? (metadata.content_length ?? []) : [],
  );
  return sizes.length === 0 ? undefined : bytes + Math.max(...sizes);
}

function deliveryOf(
  renderable: RenderableMediaItem | undefined,
  withAudio: MediaItem | undefined,
  first: MediaItem,
  requestable: (label: string) => boolean,
): Delivery {
  if (renderable?.renderConfig !== undefined) return { by: 'render', item: renderable };
  if (withAudio !== undefined) return { by: 'link', item: withAudio };
  if (renderable?.error !== undefined) return { by: 'none', reason: renderable.error };
  if (requestable(first.label)) return { by: 'request' };
  if (isPlaylist(first.metadata)) return { by: 'none', reason: messages().quality.segmented };
  return { by: 'link', item: first };
}

function renderedAudio(item: RenderableMediaItem): Quality {
  if (item.renderConfig === undefined) {
    const unknown = { container: '', codec: '', compatibility: undefined, bytes: undefined, exact: false } as const;
    const { label, error } = item;
    const name = { ...qualityName({ label, metadata: noMetadata }), label };
    return { ...name, kind: 'audio', ...unknown, hasAudio: true, delivery: { by: 'none', reason: error } };
  }
  return audioQuality(item.label, item.metadata, { by: 'render', item });
}

/** Returns the first audio track for each label. */
function downloadableAudios(audios: readonly MediaItem[]): readonly Quality[] {
  const files = audios.filter(({ metadata }) => !isPlaylist(metadata));
  return [...Map.groupBy(files, ({ label }) => label).values()].flatMap(([item]) =>
    item === undefined ? [] : [audioQuality(item.label, item.metadata, { by: 'link', item })],
  );
}

function audioQuality(label: string, metadata: MediaMetadata, delivery: Delivery): Quality {
  const { content_length: bytes } = metadata;
  const container = containerText(metadata);
  const codec = codecsText(metadata);
  return {
    ...qualityName({ label, metadata }),
    label,
    kind: 'audio',
    container,
    codec,
    compatibility: compatibilityOf(container, codec),
    bytes,
    exact: true,
    hasAudio: true,
    delivery,
  };
}
