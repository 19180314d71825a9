import { ago, clock, countWords, longCount } from '../../words.ts';
import type { Playlist } from '../world/playlists.ts';
import type { Video } from '../world/videos.ts';
import {
  avatars,
  channelEndpoint,
  content,
  type Node,
  pictures,
  titleOf,
  verifiedRun,
  watchEndpoint,
} from './basics.ts';

/** Position of a lockup in its list. */
interface LockupPlace {
  readonly hl: string;
  /** Whether the list is the channel's own tab, which omits the channel's name. */
  readonly own?: boolean;
  /** Playlist that contains the entry, and the entry's index in it. */
  readonly entry?: { readonly playlistId: string; readonly index: number };
}

/** Returns a video in the newest shape. */
export function videoLockup(video: Video, { hl, own = false, entry }: LockupPlace): Node {
  const { id, channel } = video;
  const parts = audienceParts(video);
  const rows = own
    ? [{ metadataParts: parts }]
    : [{ metadataParts: [{ text: content(channel.name, channelEndpoint(channel)) }] }, { metadataParts: parts }];
  const badges =
    video.refusal === 'members'
      ? [{ badges: [{ badgeViewModel: { badgeStyle: 'BADGE_MEMBERS_ONLY', badgeText: 'Members only' } }] }]
      : [];
  const watch = watchEndpoint(id, entry === undefined ? {} : { playlistId: entry.playlistId, index: entry.index });
  return {
    lockupViewModel: {
      contentImage: {
        thumbnailViewModel: {
          image: { sources: pictures(video) },
          overlays: [{ thumbnailBottomOverlayViewModel: { badges: [{ thumbnailBadgeViewModel: timeBadge(video) }] } }],
        },
      },
      metadata: {
        lockupMetadataViewModel: {
          title: content(titleOf(video, hl)),
          ...(own ? {} : { image: face(video) }),
          metadata: { contentMetadataViewModel: { metadataRows: [...rows, ...badges], delimiter: ' • ' } },
        },
      },
      contentId: id,
      contentType: 'LOCKUP_CONTENT_TYPE_VIDEO',
      rendererContext: { commandContext: { onTap: { innertubeCommand: watch } } },
    },
  };
}

/** Returns a short in the newest shape. */
export function shortLockup(video: Video, hl: string, index: number): Node {
  const { id, views } = video;
  return {
    shortsLockupViewModel: {
      entityId: `shorts-shelf-item-${id}`,
      onTap: { innertubeCommand: { reelWatchEndpoint: { videoId: id } } },
      indexInCollection: index,
      overlayMetadata: { primaryText: content(titleOf(video, hl)), secondaryText: content(countWords(views, 'view')) },
      thumbnailViewModel: { thumbnailViewModel: { image: { sources: pictures(video) } } },
    },
  };
}

const playlistTypes = { podcasts: 'PODCAST', releases: 'ALBUM', playlist: 'PLAYLIST', uploads: 'PLAYLIST' } as const;

/** Returns a playlist in the newest shape. */
export function playlistLockup(playlist: Playlist, own = false): Node {
  const { id, channel, title, size, kind } = playlist;
  const first = playlist.at(0);
  const words = kind === 'podcasts' ? `${size} episodes` : `${longCount(size)} videos`;
  const author = { text: { ...content(channel.name, channelEndpoint(channel)), ...verifiedRun(channel) } };
  const overlay = {
    thumbnailOverlayBadgeViewModel: {
      thumbnailBadges: [
        { thumbnailBadgeViewModel: { text: words, badgeStyle: 'THUMBNAIL_OVERLAY_BADGE_STYLE_DEFAULT' } },
      ],
      position: 'THUMBNAIL_OVERLAY_BADGE_POSITION_BOTTOM_END',
    },
  };
  return {
    lockupViewModel: {
      contentImage: {
        collectionThumbnailViewModel: {
          primaryThumbnail: { thumbnailViewModel: { image: { sources: pictures(first) }, overlays: [overlay] } },
        },
      },
      metadata: {
        lockupMetadataViewModel: {
          title: content(title),
          metadata: {
            contentMetadataViewModel: {
              metadataRows: [
                { metadataParts: [...(own ? [] : [author]), { text: content('Playlist') }] },
                { metadataParts: [{ text: content('Updated 3 days ago') }] },
              ],
              delimiter: ' • ',
            },
          },
        },
      },
      contentId: id,
      contentType: `LOCKUP_CONTENT_TYPE_${playlistTypes[kind]}`,
      rendererContext: { commandContext: { onTap: { innertubeCommand: watchEndpoint(first.id, { playlistId: id }) } } },
    },
  };
}

function audienceParts({ live, views, age }: Video): Node[] {
  if (live === 'on_air') return [{ text: content(`${countWords(views, 'viewer').split(' ')[0]} watching`) }];
  if (live === 'upcoming')
    return [{ text: content('12 waiting') }, { text: content('Scheduled for 1/1/30, 10:00 AM') }];
  const when = `${live === 'ended' ? 'Streamed ' : ''}${ago(age)}`;
  return [{ text: content(countWords(views, 'view')) }, { text: content(when) }];
}

function timeBadge({ live, seconds }: Video): Node {
  const style = (name: string) => `THUMBNAIL_OVERLAY_BADGE_STYLE_${name}`;
  if (live === 'on_air') return { text: 'LIVE', badgeStyle: style('LIVE') };
  if (live === 'upcoming') return { text: 'UPCOMING', badgeStyle: style('DEFAULT') };
  return { text: clock(seconds), badgeStyle: style('DEFAULT') };
}

function face({ channel }: Video): Node {
  return {
    decoratedAvatarViewModel: {
      avatar: { avatarViewModel: { image: { sources: avatars(channel, 68) }, avatarImageSize: 'AVATAR_SIZE_M' } },
      a11yLabel: `Go to channel ${channel.name}`,
      rendererContext: { commandContext: { onTap: { innertubeCommand: channelEndpoint(channel) } } },
    },
  };
}
