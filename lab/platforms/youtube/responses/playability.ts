import { type Node, runs, simple } from '../shapes/basics.ts';
import { scheduledAt } from '../shapes/renderers.ts';
import type { RefusalName } from '../world/scenarios.ts';
import { playsIn, type Video } from '../world/videos.ts';

/** Clients of the player. */
export const clientNames = ['WEB', 'VISIONOS', 'ANDROID', 'ANDROID_VR'] as const;

/** A name of {@link clientNames}. */
export type ClientName = (typeof clientNames)[number];

/** Content of a refusal: status, reason, and the second line below it. */
type Words = readonly [status: string, reason: string, subreason?: string];

const bot: Words = ['LOGIN_REQUIRED', "Sign in to confirm you're not a bot", 'This helps protect our community.'];
const elsewhere = 'The uploader has not made this video available in your country';

const refusals: Readonly<Partial<Record<RefusalName, Words>>> = {
  private: ['LOGIN_REQUIRED', 'This video is private', 'Please sign in to verify that you may see it.'],
  removed: ['ERROR', 'Video unavailable', 'This video has been removed by the uploader'],
  account: ['ERROR', 'Video unavailable', 'The account behind this video has been terminated.'],
  age: ['LOGIN_REQUIRED', 'Sign in to confirm your age', 'This video may be inappropriate for some users.'],
  members: [
    'UNPLAYABLE',
    "This video is available to this channel's members on level: Lab Friends (or any higher level).",
  ],
  premium: ['UNPLAYABLE', 'This video is only available to Music Premium members'],
  payment: ['UNPLAYABLE', 'This video requires payment to watch.'],
  sign_in: ['LOGIN_REQUIRED', 'Please sign in', 'This video is for signed-in viewers.'],
  bot,
};

/** Returns the player's status for a video that it refuses; undefined if it is playable. */
export function refusalOf(video: Video, client: ClientName, country: string, isTrusted: boolean): Node | undefined {
  if (!isTrusted) return statusOf(bot, client);
  if (video.refusal === 'kids') {
    return client === 'VISIONOS' ? statusOf(['UNPLAYABLE', 'This video is not available'], client) : undefined;
  }
  const words = video.refusal === undefined ? undefined : refusals[video.refusal];
  if (words !== undefined) return statusOf(words, client, video.refusal);
  if (!playsIn(video, country)) {
    // The site's pages have this text only in the second line.
    return statusOf(
      client === 'WEB' ? ['UNPLAYABLE', 'Video unavailable', elsewhere] : ['UNPLAYABLE', elsewhere],
      client,
    );
  }
  return video.live === 'upcoming' ? offline(video) : undefined;
}

/** Returns the status for an ID that the site does not know. */
export function unknownStatus(client: ClientName): Node {
  return statusOf(['ERROR', 'Video unavailable'], client);
}

/** Returns the status of a playable video. */
export function playableStatus({ id, live }: Video): Node {
  const streaming = { liveStreamability: { liveStreamabilityRenderer: { videoId: id, pollDelayMs: '15000' } } };
  return {
    status: 'OK',
    playableInEmbed: true,
    ...(live === 'on_air' ? streaming : {}),
    contextParams: 'Q0FFU0FnZ0M=',
  };
}

function statusOf([status, reason, subreason]: Words, client: ClientName, name?: RefusalName): Node {
  const below = subreason === undefined ? {} : { subreason: runs(subreason) };
  const error = { reason: simple(reason), ...below, icon: { iconType: 'ERROR_OUTLINE' } };
  return {
    status,
    // For WEB, the reason of a private video is only on its error screen (seen 2025-07).
    ...(client === 'WEB' && name === 'private' ? {} : { reason }),
    ...(client === 'ANDROID' && subreason !== undefined ? { messages: [subreason] } : {}),
    errorScreen: { playerErrorMessageRenderer: error },
    ...(name === 'age' ? { desktopLegacyAgeGateReason: 1 } : {}),
    contextParams: 'Q0FFU0FnZ0M=',
  };
}

function offline(video: Video): Node {
  const slate = {
    scheduledStartTime: `${scheduledAt(video)}`,
    mainText: runs('Live in ', '1 day'),
    thumbnail: {
      thumbnails: [{ url: `https://i.ytimg.com/vi/${video.id}/maxresdefault.jpg`, width: 1280, height: 720 }],
    },
  };
  const offlineSlate = { liveStreamOfflineSlateRenderer: slate };
  return {
    status: 'LIVE_STREAM_OFFLINE',
    reason: 'This live event will begin in 1 day.',
    playableInEmbed: true,
    liveStreamability: { liveStreamabilityRenderer: { videoId: video.id, offlineSlate, pollDelayMs: '15000' } },
  };
}
