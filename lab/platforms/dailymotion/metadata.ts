import type { Issue } from '../../links/links.ts';
import { sign } from '../signature.ts';
import type { Video } from './catalogue.ts';
import { vodUrl } from './manifest.ts';
import { variant } from './variants.ts';

/** Cookies of a visitor. The manifest's signature is bound to both. */
export interface Visitor {
  /** Six digits. */
  readonly ts: string;
  /** A UUID. */
  readonly v1st: string;
}

/** First day of the simulated site, in seconds since 1970: creation times are counted from it. */
const firstDay = 1_726_000_000;

const pictureSizes = [60, 120, 180, 240, 360, 480, 720, 1080];

/** Returns the creation time of a video, in seconds since 1970. */
export function createdTime({ number }: Video): number {
  return firstDay + Number(number % 50_000_000n);
}

/** Returns the player's metadata of a playable video. */
export function metadataOf(video: Video, visitor: Visitor, issue?: Issue): unknown {
  const { id, explicit, live, private: hidden, shape, posters } = video;
  return {
    url: `https://www.dailymotion.com/video/${id}`,
    filmstrip_url: `https://s2.dmcdn.net/k/${id}`,
    protected_delivery: video.protectedDelivery ?? false,
    channel: 'tech',
    created_time: createdTime(video),
    detected_language: 'und',
    duration: live ? 0 : video.seconds,
    explicit: explicit ?? false,
    id,
    is_created_for_kids: false,
    language: 'en',
    media_type: 'video',
    seeker_url: `https://s1.dmcdn.net/n/${id}`,
    tags: ['lab', video.title.look],
    title: video.name,
    verified: false,
    mode: live ? 'live' : 'vod',
    ...(live ? { onair: true } : {}),
    private: hidden ?? false,
    view_id: sign('view', id).slice(0, 19).toLowerCase(),
    access_id: video.accessId,
    is_password_protected: false,
    advertising: { ima: { enable: false } },
    [posters ? 'posters' : 'thumbnails']: picturesOf(video),
    first_frames: framesOf(video),
    owner: {
      id: 'xlabown',
      parent_id: null,
      screenname: 'The Lab',
      url: 'https://www.dailymotion.com/thelab',
      username: 'thelab',
      avatars: { 60: 'https://s2.dmcdn.net/u/xlabown/60x60' },
      type: 'ugc',
    },
    qualities: qualitiesOf(video, visitor, issue),
    ...(shape === '2026' ? { stream_formats: streamFormats(video) } : {}),
    reporting: { enable: false, tracking: {} },
    sharing: null,
    stream_type: live ? 'live' : 'recorded',
    subtitles: subtitlesOf(video),
    ui: {},
    info: { enable: true },
  };
}

/** Returns the signature of a manifest's link. */
export function manifestSignature({ id }: Video, { ts, v1st }: Visitor): string {
  return sign('manifest', id, ts, v1st);
}

function qualitiesOf(video: Video, visitor: Visitor, issue: Issue | undefined): Record<string, unknown> {
  const hls = { type: 'application/x-mpegURL', url: manifestUrl(video, visitor, issue) };
  const future = { type: 'application/vnd.lab.future', url: `${hls.url}&kind=future` };
  if (video.unknownStreams) return { auto: [future] };
  if (video.unknownKinds) return { auto: [hls, future] };
  if (!video.moreQualities) return { auto: [hls] };
  const files = video.variants
    .map(variant)
    .map((each) => [each.name, [{ type: 'video/mp4', url: vodUrl(video, each, 'mp4', issue) }, hls]]);
  const unknown = { type: 'application/vnd.lumberjack.manifest', url: `${hls.url}&kind=lumberjack` };
  return { ...Object.fromEntries(files), auto: [unknown, hls] };
}

function manifestUrl(video: Video, visitor: Visitor, issue: Issue | undefined): string {
  const host = video.shape === '2024' ? 'www.dailymotion.com' : 'cdndirector.dailymotion.com';
  const path = `/cdn/${video.live ? 'live' : 'manifest'}/video/${video.id}.m3u8`;
  const issued = issue === undefined ? '' : `&issue=${issue.id}`;
  const signature = manifestSignature(video, visitor);
  return `https://${host}${path}?sec=${signature}&dmTs=${visitor.ts}&dmV1st=${visitor.v1st}${issued}`;
}

function picturesOf({ id }: Video): Record<string, string> {
  return Object.fromEntries(
    pictureSizes.map((height) => [`${height}`, `https://s${height < 720 ? 1 : 2}.dmcdn.net/v/${id}/x${height}`]),
  );
}

function framesOf({ id }: Video): Record<string, string> {
  return Object.fromEntries(
    pictureSizes.map((height) => [
      `${height}`,
      `https://s1.dmcdn.net/1/${id}/${Math.ceil((height * 16) / 36) * 4}x${height}f`,
    ]),
  );
}

function streamFormats({ variants }: Video): Record<string, string> {
  return Object.fromEntries(variants.map((name) => [variant(name).name, 'mpegts']));
}

/** Returns the subtitles of a video: an object, or an empty list if there are none. */
function subtitlesOf({ id, subtitles, unknownKinds }: Video): unknown {
  if (unknownKinds) return { enable: true, data: [{ language: 'en', file: `https://s1.dmcdn.net/s/${id}/en.vtt` }] };
  if (subtitles === undefined) return { enable: false, data: [] };
  const data = Object.fromEntries(
    subtitles.map((language) => [
      language,
      { label: language.toUpperCase(), urls: [`https://s1.dmcdn.net/s/${id}/subtitle_${language}.srt`] },
    ]),
  );
  return { enable: true, data };
}
