import { sendMedia } from '../../cdn/cdn.ts';
import { textContent } from '../../cdn/content.ts';
import { bandwidth, sendIndex, sendSegment } from '../../cdn/hls.ts';
import { livePlaylist, liveSegmentName } from '../../cdn/live-playlist.ts';
import { masterPlaylist, playlistType, segmentName } from '../../cdn/playlist.ts';
import { type CdnTools, notFound } from '../../cdn/tools.ts';
import { type Exchange, type Handler, sendText } from '../../http/exchange.ts';
import { parseRendition, type Rendition } from '../../media/titles.ts';
import { illustration, portrait, thumbnail } from '../illustrations.ts';
import { findTrack } from './responses/formats.ts';
import { type LinkClient, openLink } from './responses/links.ts';
import { inPath, manifestHost, mediaHost } from './responses/streaming.ts';
import { issuedVideo } from './world/changes.ts';
import { findHandle } from './world/channels.ts';
import { findVideo, type Video } from './world/videos.ts';

/** Variants of master playlists by itag, with their codecs. */
const variants = [
  { itag: '91', rendition: '144', codecs: 'avc1.4d400c' },
  { itag: '93', rendition: '360', codecs: 'avc1.4d401e' },
  { itag: '95', rendition: '720', codecs: 'avc1.64001f' },
] as const;

/** Members of a path that belong to the file, not to its signature. */
const fileMembers = new Set(['file', 'itag']);

/** Handles `*.googlevideo.com`: files by their links, master playlists, playlists and segments. */
export function mediaHandler(tools: CdnTools): Handler {
  return async (exchange) => {
    const { pathname, searchParams } = exchange.url;
    if (pathname === '/videoplayback') return sendFile(exchange, tools, new Map(searchParams));
    const [, area, rest] = /^\/(videoplayback|api\/manifest\/hls_(?:variant|playlist))\/(.+)$/.exec(pathname) ?? [];
    if (area === undefined || rest === undefined) return notFound(exchange);
    const members = pathMembers(rest);
    const linkedVideo = openLink(members, linkClientOf(exchange));
    if (linkedVideo === undefined) return sendText(exchange, 403, 'Forbidden.\n');
    const video = issuedVideo(linkedVideo, tools.links.find(members.get('ei') ?? ''));
    const limited = tools.links.open(exchange, { ...linkOf(video, members), form: 'hls' });
    if (area.endsWith('variant')) return tools.send(exchange, textContent(master(members), playlistType));
    const rendition = parseRendition(variants.find(({ itag }) => itag === members.get('itag'))?.rendition ?? '');
    if (rendition === undefined) return notFound(exchange);
    if (area !== 'videoplayback') return sendPlaylist(limited, tools, video, members);
    return sendPart(limited, tools, video, rendition, members.get('file') ?? '');
  };
}

/** Handles `i.ytimg.com` and `yt3.ggpht.com`: an image of any video or channel, in the size that its link states. */
export function pictureHandler(tools: CdnTools): Handler {
  return async (exchange) => {
    const { pathname, searchParams } = exchange.url;
    const [, id = '', name = ''] = /\/([\w-]+)\/(\w+)\.(?:jpg|webp)$/.exec(pathname) ?? [];
    const [, kind, owner = '', width] = /^\/lab\/(banner-)?([\w-]+)=[sw](\d{2,4})-/.exec(pathname) ?? [];
    const file =
      width === undefined
        ? thumbnail(id, sizeOf(name, searchParams.get('sqp')), findVideo(id)?.channel.topic)
        : ownFile(owner, Number(width), kind);
    await sendMedia(exchange, tools, { name: 'amber-30', look: 'amber', seconds: 30 }, file);
  };
}

/** Returns the size of a video's image: the link of a resized image states its width. */
function sizeOf(name: string, sqp: string | null): { width: number; height: number } {
  const width = Number(/^lab(\d{2,4})$/.exec(sqp ?? '')?.[1] ?? 0);
  if (width > 0) return { width, height: Math.floor((width * 9) / 16) };
  const sizes: Readonly<Record<string, readonly [number, number]>> = {
    maxresdefault: [1280, 720],
    hq720: [1280, 720],
    oardefault: [405, 720],
    sddefault: [640, 480],
    hqdefault: [480, 360],
    mqdefault: [320, 180],
  };
  const [ownWidth, height] = sizes[name] ?? [120, 90];
  return { width: ownWidth, height };
}

/** Returns the banner or the profile picture of a channel, or the image of a post. */
function ownFile(owner: string, width: number, kind?: string): string {
  if (kind !== undefined) return illustration(owner, { width, height: Math.round((width * 9) / 55) });
  if (findHandle(owner) !== undefined) return portrait(owner, width);
  return illustration(owner, { width, height: Math.round((width * 9) / 16) });
}

/** Returns the properties of a client that links may be bound to. */
export function linkClientOf({ request, country }: Exchange): LinkClient {
  return { agent: request.headers['user-agent'] ?? '', country };
}

async function sendFile(exchange: Exchange, tools: CdnTools, members: ReadonlyMap<string, string>): Promise<void> {
  const linkedVideo = openLink(members, linkClientOf(exchange));
  if (linkedVideo === undefined) return sendText(exchange, 403, 'Forbidden.\n');
  const video = issuedVideo(linkedVideo, tools.links.find(members.get('ei') ?? ''));
  const limited = tools.links.open(exchange, { ...linkOf(video, members), form: 'file' });
  const language = /lang=(\w+)/.exec(members.get('xtags') ?? '')?.[1];
  const track = findTrack(video, Number(members.get('itag')), language);
  if (track === undefined) return notFound(exchange);
  await sendMedia(limited, tools, track.media, track.format.file);
}

function linkOf({ id }: Video, members: ReadonlyMap<string, string>) {
  return { platform: 'p1', item: id, issue: members.get('ei') ?? '', file: members.get('itag') ?? '' };
}

function pathMembers(path: string): Map<string, string> {
  const parts = path.split('/').map(decodeURIComponent);
  return new Map(
    parts.flatMap((name, index): [string, string][] => (index % 2 === 0 ? [[name, parts[index + 1] ?? '']] : [])),
  );
}

function signedPart(members: ReadonlyMap<string, string>, variant: string): string {
  return inPath([...[...members].filter(([name]) => !fileMembers.has(name)), ['itag', variant]]);
}

function master(members: ReadonlyMap<string, string>): string {
  return masterPlaylist(
    variants.flatMap(({ itag, rendition, codecs }) => {
      const size = parseRendition(rendition);
      if (size === undefined) return [];
      const attributes = {
        BANDWIDTH: bandwidth(size.height),
        CODECS: `"${codecs},mp4a.40.2"`,
        RESOLUTION: `${size.width}x${size.height}`,
        'FRAME-RATE': size.rate,
      };
      return [
        {
          url: `https://${manifestHost}/api/manifest/hls_playlist/${signedPart(members, itag)}/file/index.m3u8`,
          attributes,
        },
      ];
    }),
  );
}

async function sendPlaylist(exchange: Exchange, tools: CdnTools, video: Video, members: ReadonlyMap<string, string>) {
  const folder = `https://${mediaHost}/videoplayback/${signedPart(members, members.get('itag') ?? '')}/file`;
  if (video.live !== 'on_air') {
    return sendIndex(exchange, tools, video.media, (number) => `${folder}/${segmentName(number)}`);
  }
  const playlist = livePlaylist(video.media, (number) => `${folder}/live-${number}.ts`, Date.now());
  await tools.send(exchange, textContent(playlist, playlistType));
}

async function sendPart(exchange: Exchange, tools: CdnTools, { media }: Video, rendition: Rendition, file: string) {
  const number = /^live-(\d{1,12})\.ts$/.exec(file)?.[1];
  const name = number === undefined ? file : liveSegmentName(media, Number(number));
  await sendSegment(exchange, tools, media, rendition, name);
}
