import { ago, clock, countWords, longCount, shortCount } from '../../words.ts';
import type { Channel } from '../world/channels.ts';
import type { Playlist } from '../world/playlists.ts';
import { publishedAt, type Video } from '../world/videos.ts';
import {
  avatars,
  channelEndpoint,
  type Node,
  ownerBadges,
  pictures,
  runs,
  simple,
  titleOf,
  watchEndpoint,
} from './basics.ts';

/** Returns a video in the shape that search results still have, and that channel tabs had until 2026. */
export function videoRenderer(video: Video, hl: string): Node {
  const { id, channel, views, age, live, seconds } = video;
  const by = runs([channel.name, channelEndpoint(channel)]);
  const badges =
    live === 'on_air' ? [{ metadataBadgeRenderer: { style: 'BADGE_STYLE_TYPE_LIVE_NOW', label: 'LIVE' } }] : [];
  const style =
    live === 'on_air' ? 'LIVE' : live === 'upcoming' ? 'UPCOMING' : video.kind === 'short' ? 'SHORTS' : 'DEFAULT';
  const picture = avatars(channel, 68);
  return {
    videoRenderer: {
      videoId: id,
      thumbnail: { thumbnails: pictures(video) },
      title: runs(titleOf(video, hl)),
      longBylineText: by,
      ...(live === 'on_air' || live === 'upcoming'
        ? { viewCountText: runs(longCount(views), live === 'on_air' ? ' watching' : ' waiting') }
        : {
            publishedTimeText: simple(`${live === 'ended' ? 'Streamed ' : ''}${ago(age)}`),
            lengthText: simple(clock(seconds)),
            viewCountText: simple(`${longCount(views)} views`),
            shortViewCountText: simple(countWords(views, 'view')),
          }),
      ...(live === 'upcoming' ? { upcomingEventData: { startTime: `${scheduledAt(video)}` } } : {}),
      navigationEndpoint: watchEndpoint(id),
      ...(badges.length > 0 ? { badges } : {}),
      ...ownerBadges(channel),
      ownerText: by,
      shortBylineText: by,
      channelThumbnailSupportedRenderers: {
        channelThumbnailWithLinkRenderer: {
          thumbnail: { thumbnails: picture },
          navigationEndpoint: channelEndpoint(channel),
        },
      },
      thumbnailOverlays: [{ thumbnailOverlayTimeStatusRenderer: { text: simple(clock(seconds)), style } }],
      detailedMetadataSnippets: [{ snippetText: runs(`About ${channel.topic}, as the lab knows them.`) }],
    },
  };
}

/** Returns an entry of a playlist in the shape until 2026-05. A private entry has neither owner nor length. */
export function playlistVideoRenderer(video: Video, hl: string, playlistId: string, index: number): Node {
  const { id, channel, seconds, views, age } = video;
  const hidden = video.refusal === 'private';
  const open = {
    shortBylineText: runs([channel.name, channelEndpoint(channel)]),
    lengthText: simple(clock(seconds)),
    lengthSeconds: `${seconds}`,
    videoInfo: runs(countWords(views, 'view'), ' • ', ago(age)),
  };
  return {
    playlistVideoRenderer: {
      videoId: id,
      thumbnail: { thumbnails: pictures(video) },
      title: runs(hidden ? '[Private video]' : titleOf(video, hl)),
      index: simple(`${index + 1}`),
      navigationEndpoint: watchEndpoint(id, { playlistId, index }),
      ...(hidden ? {} : open),
      isPlayable: !hidden,
    },
  };
}

/** Returns an entry of the panel beside a video, as in mixes. */
export function panelVideoRenderer(video: Video, hl: string, playlistId: string, index: number): Node {
  const { id, channel, seconds } = video;
  const by = runs([channel.name, channelEndpoint(channel)]);
  return {
    playlistPanelVideoRenderer: {
      title: simple(titleOf(video, hl)),
      longBylineText: by,
      thumbnail: { thumbnails: pictures(video) },
      lengthText: simple(clock(seconds)),
      indexText: simple(index === 0 ? '▶' : `${index + 1}`),
      selected: index === 0,
      navigationEndpoint: watchEndpoint(id, { playlistId, index }),
      videoId: id,
      shortBylineText: by,
    },
  };
}

/** Returns a playlist in the shape until 2025. */
export function gridPlaylistRenderer({ id, title, size, ...playlist }: Playlist): Node {
  const first = playlist.at(0);
  return {
    gridPlaylistRenderer: {
      playlistId: id,
      thumbnail: { thumbnails: pictures(first) },
      title: runs([title, watchEndpoint(first.id, { playlistId: id })]),
      videoCountText: runs(longCount(size), ' videos'),
      videoCountShortText: simple(shortCount(size)),
      navigationEndpoint: watchEndpoint(first.id, { playlistId: id }),
    },
  };
}

/** Returns a playlist in the shape that the releases tab still has. */
export function playlistRenderer({ id, title, size, channel, ...playlist }: Playlist): Node {
  const first = playlist.at(0);
  return {
    playlistRenderer: {
      playlistId: id,
      title: simple(title),
      thumbnails: [{ thumbnails: pictures(first) }],
      videoCount: `${size}`,
      videoCountText: runs(longCount(size), ' videos'),
      navigationEndpoint: watchEndpoint(first.id, { playlistId: id }),
      longBylineText: runs([channel.name, channelEndpoint(channel)]),
      shortBylineText: runs([channel.name, channelEndpoint(channel)]),
    },
  };
}

/**
 * Returns a channel in search results. Newer responses have the handle in the member that used to contain the
 * subscriber count, and the count in the member beside it.
 */
export function channelRenderer(channel: Channel): Node {
  const { id, name, handle, topic, subscribers, generation, counts } = channel;
  const followers = countWords(subscribers, 'subscriber');
  return {
    channelRenderer: {
      channelId: id,
      title: simple(name),
      navigationEndpoint: channelEndpoint(channel),
      thumbnail: { thumbnails: avatars(channel, 88, 176) },
      descriptionSnippet: runs(`All about ${topic}.`),
      shortBylineText: runs([name, channelEndpoint(channel)]),
      longBylineText: runs([name, channelEndpoint(channel)]),
      videoCountText: simple(generation === 'new' ? followers : `${counts.videos} videos`),
      subscriberCountText: simple(generation === 'new' ? `@${handle}` : followers),
      ...ownerBadges(channel),
    },
  };
}

/** Returns a film in search results. */
export function movieRenderer(video: Video, hl: string): Node {
  const { id, seconds, channel } = video;
  return {
    movieRenderer: {
      videoId: id,
      title: runs(titleOf(video, hl)),
      descriptionSnippet: runs(`A film about ${channel.topic}.`),
      thumbnail: { thumbnails: pictures(video) },
      lengthText: simple(clock(seconds)),
      longBylineText: runs([channel.name, channelEndpoint(channel)]),
      navigationEndpoint: watchEndpoint(id),
      topMetadataItems: [simple('Documentary • 2019 • PG-13 • Audio: English')],
      bottomMetadataItems: [simple('Actors: Ada Mill, Ben Reed'), simple('Director: Cora Stone')],
      offerButton: { buttonRenderer: { text: runs('Buy or rent') } },
    },
  };
}

/** Returns the start of an upcoming stream in seconds since 1970: noon of the second day from now. */
export function scheduledAt(video: Video, now: number = Date.now()): number {
  return (publishedAt({ ...video, age: 0 }, now) + 1.5 * 86_400_000) / 1000;
}
