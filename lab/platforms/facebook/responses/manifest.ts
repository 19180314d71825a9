import { parseRendition } from '../../../media/titles.ts';
import { mediaLink } from '../links.ts';
import type { Video } from '../world/videos.ts';

/** Variant of a video: one of its files. */
export interface Variant {
  readonly id: string;
  readonly file: string;
  readonly codecs: string;
  /** Bits per second. */
  readonly bandwidth: number;
  /** The site's name for the quality, which is not the height: two files of the same size have different names. */
  readonly quality?: string;
  readonly width: number;
  readonly height: number;
  readonly url: string;
}

const pictures = [
  { file: 'video-144.mp4', codecs: 'avc1.4d400c', bandwidth: 120_000, quality: '144p' },
  { file: 'video-360.mp4', codecs: 'avc1.4d401e', bandwidth: 520_000, quality: '270p' },
  { file: 'video-720.mp4', codecs: 'avc1.64001f', bandwidth: 1_000_000, quality: '540p' },
  { file: 'video-720.mp4', codecs: 'avc1.64001f', bandwidth: 1_400_000, quality: '720p' },
  { file: 'video-1080.mp4', codecs: 'avc1.640028', bandwidth: 3_900_000, quality: '1080p' },
];
const sound = { file: 'audio.mp4', codecs: 'mp4a.40.2', bandwidth: 64_345 };

/** Returns the variants of a video: video-only files, then its audio. */
export function variantsOf(video: Video): Variant[] {
  const variants = video.silent ? pictures : [...pictures, sound];
  return variants.map((variant, place) => {
    const size = parseRendition(/-(\d+)\./.exec(variant.file)?.[1] ?? '');
    const more = { ccb: '17-1', efg: Buffer.from(`{"vencode_tag":"dash_lab_${place}"}`).toString('base64') };
    return {
      ...variant,
      id: `${video.id.slice(-12)}${place}${size === undefined ? 'a' : 'v'}`,
      width: size?.width ?? 0,
      height: size?.height ?? 0,
      url: mediaLink({ title: video.title, file: variant.file }, { ...linkParts(video), more }),
    };
  });
}

/** Returns the common parameters of a video's media links. */
export function linkParts({ expired, faults }: Video) {
  return { ...(expired ? { expired } : {}), ...(faults === undefined ? {} : { faults }) };
}

/** Returns the manifest of the variants: whole files with the ranges of their indexes. */
export function manifestOf(video: Video): string {
  const variants = variantsOf(video);
  const length = `PT${video.seconds}.012S`;
  const sets = [variants.filter(({ height }) => height > 0), variants.filter(({ height }) => height === 0)];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" ',
    'profiles="urn:mpeg:dash:profile:isoff-on-demand:2011" minBufferTime="PT2S" type="static" ',
    `mediaPresentationDuration="${length}" FBTagsetUsed="lab"><Period id="0" duration="${length}">`,
    ...sets.flatMap((set, place) => (set.length === 0 ? [] : [adaptationSet(set, place)])),
    '</Period></MPD>',
  ].join('');
}

function adaptationSet(variants: readonly Variant[], place: number): string {
  const kind = place === 0 ? 'video' : 'audio';
  const rate = place === 0 ? ' frameRate="25"' : '';
  const head = `<AdaptationSet id="${place}" contentType="${kind}" subsegmentAlignment="true"${rate}>`;
  return `${head}${variants.map(representation).join('')}</AdaptationSet>`;
}

function representation({ id, bandwidth, codecs, width, height, quality, url }: Variant): string {
  const picture = height > 0;
  const size = picture
    ? ` mimeType="video/mp4" width="${width}" height="${height}" FBQualityClass="hd" FBQualityLabel="${quality}"`
    : ' mimeType="audio/mp4" audioSamplingRate="48000"';
  const channels = picture
    ? ''
    : '<AudioChannelConfiguration schemeIdUri="urn:mpeg:dash:23003:3:audio_channel_configuration:2011" value="2"/>';
  return (
    `<Representation id="${id}" bandwidth="${bandwidth}" codecs="${codecs}"${size}>${channels}` +
    `<BaseURL>${url.replaceAll('&', '&amp;')}</BaseURL>` +
    '<SegmentBase indexRange="826-1133" timescale="11988"><Initialization range="0-825"/></SegmentBase>' +
    '</Representation>'
  );
}

/** Returns the variants in the form in which a page passes them to its player, separately from the results. */
export function prefetchNode(video: Video): unknown {
  return {
    video_id: video.id,
    initial_representation_ids: [],
    representations: variantsOf(video).map(({ id, height, width, codecs, url, bandwidth }) => ({
      representation_id: id,
      mime_type: height > 0 ? 'video/mp4' : 'audio/mp4',
      codecs,
      base_url: url,
      bandwidth,
      height,
      width,
      segments: [{ start: 0, end: 825 }],
    })),
  };
}
