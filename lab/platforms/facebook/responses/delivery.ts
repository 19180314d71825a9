import { mediaLink } from '../links.ts';
import type { QueryResult } from '../page.ts';
import type { Video } from '../world/videos.ts';
import { linkParts, manifestOf, prefetchNode } from './manifest.ts';

/** Returns the whole files of a video: `native_hd` and `native_sd`. */
export function wholeFiles(video: Video): { hd: string | null; sd: string } {
  const link = (file: string, encoding: string, bitrate: number) =>
    mediaLink(
      { title: video.title, file },
      {
        ...linkParts(video),
        more: {
          efg: Buffer.from(`{"vencode_tag":"xpv_progressive.FACEBOOK..${encoding}"}`).toString('base64'),
          bitrate: `${bitrate}`,
        },
      },
    );
  return {
    hd: video.onlySd ? null : link('movie-720.mp4', 'C3.1280.dash_h264-basic-gen2_720p', 1_756_304),
    sd: link('movie-360.mp4', 'C3.640.sve_sd', 601_000),
  };
}

/** Returns the members with a video's file links, in the form that the video's delivery generation uses. */
export function deliveryOf(video: Video): Record<string, unknown> {
  const { hd, sd } = wholeFiles(video);
  const manifest = hasFiles(video) && !video.onlySd ? manifestOf(video) : null;
  switch (video.delivery) {
    case 'playable':
      return { playable_url: sd, playable_url_quality_hd: hd, playable_url_dash: manifest };
    case 'sources':
      return { sd_src: sd, hd_src: hd, dash_manifest: manifest };
    case 'progressive':
      return newerDelivery(
        [
          { progressive_url: sd, failure_reason: null, metadata: { quality: 'SD' } },
          { progressive_url: hd, failure_reason: null, metadata: { quality: 'HD' } },
        ],
        [{ manifest_xml: manifest, failure_reason: null }],
      );
    case 'unnamed':
      return newerDelivery([{ progressive_url: hd }, { progressive_url: sd }], []);
    default:
      return {
        videoDeliveryLegacyFields: {
          dash_manifest_xml_string: video.delivery === 'prefetch' ? '<MPD><!DOCTYPE x [<!ENTITY a "b">]>' : manifest,
          dash_manifest_url: `https://www.facebook.com/dash_mpd_debug.mpd?v=${video.id}&dummy=.mpd`,
          browser_native_sd_url: hasFiles(video) ? sd : null,
          browser_native_hd_url: hasFiles(video) ? hd : null,
          id: video.id,
        },
        videoDeliveryResponseFragment: null,
      };
  }
}

function newerDelivery(files: readonly unknown[], manifests: readonly unknown[]): Record<string, unknown> {
  const result = { progressive_urls: files, dash_manifests: manifests, dash_manifest_urls: [], hls_playlist_urls: [] };
  return { videoDeliveryResponseFragment: { videoDeliveryResponseResult: result } };
}

/** Returns the variants that a page passes to its player separately from the results, among those of other videos. */
export function playerLists(video: Video): NonNullable<QueryResult['extensions']> {
  const hasNewerDelivery =
    hasFiles(video) && !video.onlySd && (video.delivery === undefined || video.delivery === 'prefetch');
  const lists = [{ video_id: '1', representations: [] }, ...(hasNewerDelivery ? [prefetchNode(video)] : [])];
  return { all_video_dash_prefetch_representations: lists };
}

function hasFiles({ live, warning }: Video): boolean {
  return !live && warning !== 'closed';
}
