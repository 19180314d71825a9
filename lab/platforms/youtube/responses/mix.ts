import { avatars, type Node, simple } from '../shapes/basics.ts';
import { panelVideoRenderer } from '../shapes/renderers.ts';
import { channelCount, channelOf } from '../world/channels.ts';
import { findVideo, type Video, videoAt } from '../world/videos.ts';

/** Entries in the panel at a time. */
const panelSize = 25;

/**
 * Returns the panel of a mix: `RD` and a video's ID, or `RDMM` and an ID. A mix has no end: a request with a later
 * video and its index returns the entries from that index on.
 */
export function mixPanel(playlistId: string, videoId: string | undefined, index: number, hl: string): Node | undefined {
  const first = findVideo(/^RD(?:MM|EM)?([\w-]{11})$/.exec(playlistId)?.[1] ?? '');
  if (first === undefined) return undefined;
  const start = videoId === undefined ? 0 : Math.max(0, index);
  const contents = Array.from({ length: panelSize }, (_, place) =>
    panelVideoRenderer(entryOf(first, start + place), hl, playlistId, start + place),
  );
  const title = playlistId.startsWith('RDMM') ? 'My Mix' : `Mix - ${first.channel.topic}`;
  const owner = { ownerName: simple('YouTube'), thumbnails: avatars(first.channel, 88) };
  return {
    playlist: {
      title,
      titleText: simple(title),
      playlistId,
      contents,
      isInfinite: true,
      currentIndex: start,
      ...owner,
    },
  };
}

function entryOf(first: Video, index: number): Video {
  if (index === 0) return first;
  const place = first.channel.number + index * 7;
  return videoAt(channelOf(6 + (place % (channelCount - 6))), 'video', Math.floor(place / channelCount) % 40);
}
