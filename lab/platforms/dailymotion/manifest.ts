import { bandwidth } from '../../cdn/hls.ts';
import { masterPlaylist } from '../../cdn/playlist.ts';
import type { Issue } from '../../links/links.ts';
import { sign } from '../signature.ts';
import type { Video } from './catalogue.ts';
import { type VideoVariant, variant } from './variants.ts';

/** Hosts of live streams: the first has every variant, the second all except the best. */
export const liveHosts = ['live-b.cf.dmcdn.net', 'live-c.cf.dmcdn.net'] as const;

/** Returns the master playlist of a video. */
export function manifestOf(video: Video, issue: Issue | undefined): string {
  return video.live ? liveManifest(video) : recordedManifest(video, issue);
}

/** Returns the signature in the path of a recorded video's file. */
export function vodSignature(video: Video, { suffix }: VideoVariant, ext: 'm3u8' | 'mp4'): string {
  return sign('vod', video.id, suffix, ext);
}

/** Returns the signature in the path of a live stream's playlists and segments. */
export function liveSignature({ id }: Video, host: string): string {
  return sign('live', id, host);
}

function recordedManifest(video: Video, issue: Issue | undefined): string {
  const older = video.shape === '2024';
  const cell = older ? 'cf' : 'cf3';
  return masterPlaylist(
    video.variants.map(variant).map((each) => ({
      url: `${vodUrl(video, each, 'm3u8', issue)}${video.faults === undefined ? '' : `?${video.faults}`}#cell=${cell}`,
      attributes: {
        BANDWIDTH: bandwidth(each.height) * (video.bandwidthFactor ?? 1),
        CODECS: `"${each.audio},${each.video}"`,
        RESOLUTION: `${each.width}x${each.height}`,
        NAME: `"${each.name}"`,
        ...(older && each.name !== '240'
          ? { 'PROGRESSIVE-URI': `"${vodUrl(video, each, 'mp4', issue)}#cell=${cell}"` }
          : {}),
      },
    })),
  );
}

/**
 * Returns the link of a recorded video's playlist or MP4 file. The two folders in its path are the last six digits of
 * the video's number, with each group of three reversed.
 */
export function vodUrl(video: Video, each: VideoVariant, ext: 'm3u8' | 'mp4', issue?: Issue): string {
  const elsewhere = issue?.addressOf(each.name);
  if (elsewhere !== undefined) return elsewhere;
  const host = video.shape === '2024' ? 'vod.cf.dmcdn.net' : 'vod3.cf.dmcdn.net';
  const digits = `${video.number}`.padStart(6, '0');
  const folders = [digits.slice(-3), digits.slice(-6, -3)].map((three) => [...three].toReversed().join(''));
  const file = `${video.number}_mp4_${each.suffix}_2.${ext}`;
  const signature = `${vodSignature(video, each, ext)}${issue === undefined ? '' : `.${issue.id}`}`;
  return `https://${host}/sec2(${signature})/video/${folders.join('/')}/${file}`;
}

function liveManifest(video: Video): string {
  const best = Math.max(...video.variants.map((name) => variant(name).height));
  return masterPlaylist(
    video.variants.map(variant).flatMap((each) =>
      liveHosts
        .filter((_, index) => index === 0 || each.height < best)
        .map((host, index) => ({
          url: `https://${host}/sec2(${liveSignature(video, host)})/dm/3/${video.id}/d/live-${each.name}.m3u8${index === 0 ? '#cell=lcfb' : ''}`,
          attributes: {
            RESOLUTION: `${each.width}x${each.height}`,
            'FRAME-RATE': each.rate.toFixed(6),
            BANDWIDTH: bandwidth(each.height),
            CODECS: `"${each.video},${each.audio}"`,
            NAME: `"${each.name}"`,
          },
        })),
    ),
  );
}
