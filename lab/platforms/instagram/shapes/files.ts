import { bandwidth } from '../../../cdn/hls.ts';
import { illustration } from '../../illustrations.ts';
import { mediaLink, pictureHost, videoHost } from '../links.ts';
import type { Part } from '../world/posts.ts';

/** Heights in a DASH manifest, best first, with the site's names for them. A name is not always the height. */
const variantSides = [
  { height: 1080, label: '1080p', tag: 'dash_high_1080p_v1', id: 'v' },
  { height: 720, label: '720p', tag: 'dash_high_1_v1', id: 'vd' },
  { height: 360, label: '240p', tag: 'dash_high_4_v1', id: 'v' },
] as const;

/** Shorter sides of the images, with the transformation that produces each image. */
const pictureSides = [
  { side: 1080, transformation: 'dst-jpg_e35_tt6' },
  { side: 720, transformation: 'dst-jpg_e35_p720x720_sh2.08_tt6' },
  { side: 360, transformation: 'dst-jpg_e15_p360x360_tt6' },
] as const;

/** Image in one of its sizes. */
interface PictureFile {
  readonly url: string;
  readonly width: number;
  readonly height: number;
}

/** Returns the link of a video's file with audio, which is 720 pixels high. */
export function progressiveLink({ title, hasSound, post, seconds, pk }: Part): string {
  const facts = {
    vencode_tag: 'xpv_progressive.INSTAGRAM.CLIPS.C3.720.dash_baseline_1_v1',
    xpv_asset_id: Number(pk.slice(-15)),
    asset_age_days: 23,
    vi_usecase_id: 10_099,
    duration_s: seconds,
    urlgen_source: 'www',
  };
  const file = hasSound ? 'movie-720.mp4' : 'video-720.mp4';
  return mediaLink(videoHost, 'o1/v/t2/f2/m86', title, file, { facts, ...linkOptions(post) });
}

/** Returns every size of an image or of a video's cover image; `squares` are cropped from it. */
export function picturesOf({ code, title, size, post }: Part): { whole: PictureFile[]; squares: PictureFile[] } {
  const file = (width: number, height: number, transformation: string) => {
    const name = illustration(code, { width, height });
    const options = { transformation, ...linkOptions(post) };
    return { url: mediaLink(pictureHost, 'v/t51.82787-15', title, name, options), width, height };
  };
  return {
    whole: pictureSides.map(({ side, transformation }) => {
      const scale = side / Math.min(size.width, size.height);
      return file(size.width * scale, size.height * scale, transformation);
    }),
    squares: [file(1080, 1080, 'c420.0.1080.1080a_dst-jpg_e35_s1080x1080_tt6')],
  };
}

/** Returns the manifest of a video: whole files, with separate files for video and audio. */
export function manifestOf(part: Part): string {
  const { seconds, hasSound, post } = part;
  const duration = `PT${seconds}S`;
  return [
    post.manifest === 'entities' ? '<!DOCTYPE MPD [<!ENTITY file SYSTEM "file:///etc/passwd">]>' : '\n',
    '<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011"',
    ` minBufferTime="PT2S" type="static" mediaPresentationDuration="${duration}">`,
    `<Period id="0" duration="${duration}">`,
    '<AdaptationSet id="0" contentType="video" frameRate="25/1" subsegmentAlignment="true" par="16:9">',
    ...variantSides.map((variant) => pictureNode(part, variant)),
    '</AdaptationSet>',
    ...(hasSound ? [soundNode(part)] : []),
    '</Period></MPD>\n',
  ].join('');
}

function pictureNode(part: Part, { height, label, tag, id }: (typeof variantSides)[number]): string {
  const attributes = [
    `id="${part.pk.slice(-12)}${height}${id}" bandwidth="${bandwidth(height)}" codecs="avc1.64001f"`,
    `mimeType="video/mp4" sar="1:1" FBEncodingTag="${tag}" width="${(height * 16) / 9}" height="${height}"`,
    `FBQualityClass="hd" FBQualityLabel="${label}"`,
  ];
  return representation(attributes.join(' '), '', fileLink(part, `video-${height}.mp4`));
}

function soundNode(part: Part): string {
  const attributes = [
    `id="${part.pk.slice(-12)}ad" bandwidth="128000" codecs="mp4a.40.2" mimeType="audio/mp4"`,
    'audioSamplingRate="48000" FBEncodingTag="dash_ln_audio_v1" FBDefaultQuality="1"',
  ];
  const scheme = 'urn:mpeg:dash:23003:3:audio_channel_configuration:2011';
  const channels = `<AudioChannelConfiguration schemeIdUri="${scheme}" value="2"/>`;
  const node = representation(attributes.join(' '), channels, fileLink(part, 'audio.mp4'));
  return `<AdaptationSet id="1" contentType="audio" subsegmentAlignment="true">${node}</AdaptationSet>`;
}

function representation(attributes: string, inner: string, url: string): string {
  const index = '<SegmentBase indexRange="863-918" timescale="12800"><Initialization range="0-862"/></SegmentBase>';
  const base = `<BaseURL>${url.replaceAll('&', '&amp;')}</BaseURL>`;
  return `<Representation ${attributes}>${inner}${base}${index}</Representation>`;
}

function fileLink({ title, post }: Part, name: string): string {
  return mediaLink(videoHost, 'v/t66.30100-16', title, name, { facts: { vencode_tag: name }, ...linkOptions(post) });
}

function linkOptions({ links, faults }: Part['post']) {
  return { expired: links === 'expired', ...(faults === undefined ? {} : { faults }) };
}
