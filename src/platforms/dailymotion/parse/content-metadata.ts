import type { ContentMetadata } from '../../../contract/envelope.ts';
import { defined, isoTime, unlessEmpty } from '../../../parsing/values.ts';
import type { Owner, VideoMetadata } from './player-metadata.ts';
import type { VideoFacts } from './rest-facts.ts';

/** The sources of the metadata: the player's endpoint, then the embedded player's. */
export const metadataStrategies = ['player', 'embed'] as const;

export type MetadataStrategy = (typeof metadataStrategies)[number];

/** Builds a video's metadata. Player metadata takes precedence over the REST interface. */
export function videoMetadata(
  video: VideoMetadata,
  facts: VideoFacts | undefined,
  strategy: MetadataStrategy,
): ContentMetadata {
  return defined({
    title: video.title ?? facts?.title,
    thumbnailUrl: video.thumbnails[0]?.url ?? facts?.thumbnailUrl,
    author: author(video, facts),
    additionalData: additionalData(video, facts, strategy),
  });
}

function author(video: VideoMetadata, facts: VideoFacts | undefined): Record<string, unknown> | undefined {
  const owner: Partial<Owner> = { ...facts?.owner, ...video.owner };
  const members = defined({
    id: owner.id,
    name: owner.name,
    handle: owner.handle,
    url: owner.url,
    thumbnails: unlessEmpty(owner.avatars ?? []),
    type: owner.type,
  });
  if (Object.keys(members).length === 0) return undefined;
  return { ...members, ...defined({ verified: video.verified }) };
}

function additionalData(
  video: VideoMetadata,
  facts: VideoFacts | undefined,
  strategy: MetadataStrategy,
): Record<string, unknown> {
  const createdTime = video.createdTime ?? facts?.createdTime;
  const statistics = defined({ viewCount: facts?.viewCount, likeCount: facts?.likeCount });
  const geoblocking = facts?.geoblocking;
  return defined({
    id: video.id,
    source: strategy,
    url: video.url,
    description: facts?.description,
    duration: video.duration,
    createdAt: isoTime(createdTime),
    createdTime,
    channel: video.channel,
    language: video.language,
    tags: unlessEmpty(video.tags),
    mode: video.mode,
    isLive: video.isLive,
    isPrivate: video.isPrivate,
    madeForKids: video.madeForKids,
    explicit: video.explicit,
    ageLimit: video.explicit === true ? 18 : undefined,
    statistics: Object.keys(statistics).length > 0 ? statistics : undefined,
    subtitles: unlessEmpty(video.subtitles),
    firstFrames: unlessEmpty(video.firstFrames),
    seekerUrl: video.seekerUrl,
    filmstripUrl: video.filmstripUrl,
    allowedCountries: geoblocking?.mode === 'allow' ? unlessEmpty(geoblocking.countries) : undefined,
    deniedCountries: geoblocking?.mode === 'deny' ? unlessEmpty(geoblocking.countries) : undefined,
  });
}
