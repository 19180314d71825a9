import Type from 'typebox';
import { MillraceError } from '../../../contract/errors.ts';
import { countryCodeParameter, generalFormats, renderableFormatsParameter } from '../../../contract/parameters.ts';
import type { MasterPlaylist } from '../../../hls/master-playlist.ts';
import { defineEndpoint } from '../../define-endpoint.ts';
import type { Extraction, ExtractionContext, SourceClient } from '../../platform.ts';
import { findFacts, findVideo } from '../find-video.ts';
import { isVideoId, videoIdPattern } from '../links.ts';
import { videoMetadata } from '../parse/content-metadata.ts';
import { parseManifest, underDrm } from '../parse/manifest.ts';
import type { VideoMetadata } from '../parse/player-metadata.ts';
import { videoContent } from '../parse/video-content.ts';
import { requestManifest } from '../requests.ts';

/** The media and metadata of a video. */
export const videoDetails = defineEndpoint({
  path: '/video/details',
  summary: 'Media and metadata of a video',
  parameters: Type.Object({
    videoId: Type.String({
      pattern: videoIdPattern.source,
      description: "Video ID: the x… part of the video's URL, or the k… key of a private link.",
      examples: ['xlab30'],
    }),
    renderableFormats: Type.Optional(
      renderableFormatsParameter(
        Type.String({ pattern: `^(?:${generalFormats.join('|')}|(?:hls-)?[0-9]{2,4})$` }),
        `Qualities to prepare renders for: ${generalFormats.join(', ')}, or a number from a video's label (hls-720), such as 240, 380, 480, 720 or 1080.`,
      ),
    ),
    countryCode: Type.Optional(countryCodeParameter),
  }),
  credits: 1,
  contents: true,
  returns: ['additionalData'],
  renderables: {
    matches: (label, format) => label === format || label === `hls-${format}` || label === `http-${format}`,
    audio: true,
  },
  async extract({ videoId, countryCode }, context) {
    const anyCountry = countryCode === undefined || countryCode === 'worldwide';
    return await extractVideo(checkedId(videoId), anyCountry, context);
  },
});

/**
 * @param anyCountry Whether the caller left the choice of country to the service. If false, `context.source` is in the
 * caller's country.
 */
async function extractVideo(videoId: string, anyCountry: boolean, context: ExtractionContext): Promise<Extraction> {
  const { video, strategy, source, facts: existingFacts } = await findVideo(videoId, anyCountry, context);
  if (video.protectedDelivery) throw underDrm();
  const [{ master, failure }, facts] = await Promise.all([
    findMaster(video, source, context.signal),
    existingFacts ?? findFacts(video.id, source, context.signal),
  ]);
  if (master === undefined && video.files.length + video.playlists.length === 0) throw failure ?? withoutStreams(video);
  return {
    contents: [videoContent(video, master)],
    metadata: videoMetadata(video, facts, strategy),
    ...(failure === undefined
      ? {}
      : { notes: [`Some qualities are missing: ${failure.message}`], incomplete: failure.retryable }),
    ...(source.country === undefined ? {} : { country: source.country }),
  };
}

function checkedId(videoId: string): string {
  if (isVideoId(videoId)) return videoId;
  throw new MillraceError('invalid_params', 'videoId must be a video ID such as x8abc12, not a link.', {
    parameter: 'videoId',
  });
}

/**
 * Fetches the master playlist, or returns the reason that it could not be read. That is not fatal, because the metadata
 * itself may also list streams.
 */
async function findMaster(
  video: VideoMetadata,
  source: SourceClient,
  signal: AbortSignal,
): Promise<{ readonly master?: MasterPlaylist; readonly failure?: MillraceError }> {
  const [address] = video.masters;
  if (address === undefined) return {};
  try {
    const { text, status, url } = await requestManifest(source, address);
    return { master: parseManifest(text, status, url) };
  } catch (error) {
    if (!(error instanceof MillraceError) || signal.aborted) throw error;
    return { failure: error };
  }
}

/** Returns the error for metadata without any streams. */
function withoutStreams({ explicit, isPrivate, passwordProtected, isLive }: VideoMetadata): MillraceError {
  if (explicit === true) return new MillraceError('age_restricted', 'The video is for adults only.');
  if (passwordProtected) return new MillraceError('unavailable', 'The video is password-protected.');
  if (isPrivate === true) return new MillraceError('unavailable', 'The video is private.');
  if (isLive) return new MillraceError('unavailable', 'The live stream is not on air.', { retryable: true });
  return new MillraceError('invalid_response_data', 'The site lists no streams for this video.');
}
