import type { ExtractedContent, MediaItem, MediaMetadata, RenderableMediaItem } from '#client/index.ts';
import { codecsText, containerText, isPlaylist } from './codecs.ts';

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
export interface Quality {
  readonly label: string;
  readonly kind: 'video' | 'audio';
  readonly container: string;
  /** Empty if unknown. */
  readonly codec: string;
  /** Undefined if unknown. For a file that has to be rendered, the sum of its streams. */
  readonly bytes: number | undefined;
  readonly exact: boolean;
  readonly hasAudio: boolean;
  readonly delivery: Delivery;
}

/** The codecs that renders prefer, by their names in `codecs.ts`. */
const preferredCodecs = ['H.264', 'AV1', 'VP9', 'H.265'];

/**
 * Lists the qualities of a content item, largest first, then the audio-only ones.
 *
 * @param requestable Whether a quality that is not part of the result can be requested by its label.
 */
export function qualitiesOf(content: ExtractedContent, requestable: (label: string) => boolean): readonly Quality[] {
  const { videos = [], audios = [], renderableVideos = [], renderableAudios = [] } = content;
  const labels = Map.groupBy(videos, ({ label }) => label);
  const videoQualities = [...labels].map(([label, items]) => {
    const renderable = renderableVideos.find((item) => item.label === label);
    const height = items[0]?.metadata.height ?? 0;
    return { height, quality: videoQuality(label, items, renderable, requestable, audios) };
  });
  const audioQualities = renderableAudios.map((item) => renderedAudio(item));
  return [
    ...videoQualities.toSorted((a, b) => b.height - a.height).map(({ quality }) => quality),
    ...(audioQualities.length > 0 ? audioQualities : downloadableAudios(audios)),
  ];
}

function videoQuality(
  label: string,
  items: readonly MediaItem[],
  renderable: RenderableMediaItem | undefined,
  requestable: (label: string) => boolean,
  audios: readonly MediaItem[],
): Quality {
  const rank = ({ metadata }: MediaItem) => {
    const index = preferredCodecs.findIndex((codec) => codecsText(metadata).includes(codec));
    return index < 0 ? preferredCodecs.length : index;
  };
  // Each label has at least one item.
  const [first] = items.toSorted((a, b) => rank(a) - rank(b)) as [MediaItem];
  const withAudio = items.find(({ metadata }) => metadata.has_audio && !isPlaylist(metadata));
  const delivery = deliveryOf(renderable, withAudio, first, requestable);
  const metadata = delivery.by === 'link' ? delivery.item.metadata : first.metadata;
  const output = delivery.by === 'render' ? delivery.item.metadata : undefined;
  const needsRender = delivery.by === 'render' || delivery.by === 'request';
  return {
    label,
    kind: 'video',
    container: needsRender ? 'MP4' : containerText(metadata),
    codec: codecsText(metadata),
    bytes: output?.content_length ?? sizeOf(metadata, needsRender && !metadata.has_audio ? audios : undefined),
    exact: !needsRender || output?.content_length !== undefined,
    hasAudio: output?.has_audio ?? (delivery.by === 'request' || metadata.has_audio),
    delivery,
  };
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
  if (isPlaylist(first.metadata))
    return { by: 'none', reason: 'This is a segmented stream and cannot be downloaded as a file.' };
  return { by: 'link', item: first };
}

function renderedAudio(item: RenderableMediaItem): Quality {
  if (item.renderConfig === undefined) {
    const facts = { container: '', codec: '', bytes: undefined, exact: false, hasAudio: true } as const;
    return { label: item.label, kind: 'audio', ...facts, delivery: { by: 'none', reason: item.error } };
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
  return {
    label,
    kind: 'audio',
    container: containerText(metadata),
    codec: codecsText(metadata),
    bytes,
    exact: true,
    hasAudio: true,
    delivery,
  };
}
