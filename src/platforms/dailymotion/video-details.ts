import { MillraceError } from '../../contract/errors.ts';
import type { MasterPlaylist } from '../../hls/master.ts';
import type { EndpointParameters, Extraction, ExtractionContext, SourceClient } from '../platform.ts';
import { findFacts, findVideo } from './find-video.ts';
import { videoMetadata } from './parse/details.ts';
import { parseManifest, underDrm } from './parse/manifest.ts';
import { videoContent } from './parse/media.ts';
import type { VideoMetadata } from './parse/metadata.ts';
import { requestManifest } from './requests.ts';
import { isVideoId } from './video-id.ts';

/**
 * The media and metadata of one video. `context.source` goes through an exit in the country that the caller chose.
 *
 * @throws MillraceError with the code that says why there is no answer.
 */
export async function videoDetails(parameters: EndpointParameters, context: ExtractionContext): Promise<Extraction> {
  const videoId = videoIdOf(parameters.videoId);
  const anyCountry = parameters.countryCode === undefined || parameters.countryCode === 'worldwide';
  const { video, step, source, facts: factsOnTheWay } = await findVideo(videoId, anyCountry, context);
  if (video.protectedDelivery) throw underDrm();
  const [{ master, failure }, facts] = await Promise.all([
    findMaster(video, source, context.signal),
    factsOnTheWay ?? findFacts(video.id, source, context.signal),
  ]);
  if (master === undefined && video.files.length + video.playlists.length === 0) throw failure ?? withoutStreams(video);
  return {
    contents: [videoContent(video, master)],
    metadata: videoMetadata(video, facts, step),
    ...(failure === undefined
      ? {}
      : { notes: [`Some qualities are missing: ${failure.message}`], incomplete: failure.retryable }),
    ...(source.country === undefined ? {} : { country: source.country }),
  };
}

function videoIdOf(value: EndpointParameters[string]): string {
  if (typeof value === 'string' && isVideoId(value)) return value;
  throw new MillraceError('invalid_params', 'videoId must be the id of a video, such as x8abc12, and no link.', {
    parameter: 'videoId',
  });
}

/** The master playlist, or why it could not be read: the metadata may name streams beside it. */
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

/** What metadata without any stream mean. */
function withoutStreams({ explicit, isPrivate, passwordProtected, isLive }: VideoMetadata): MillraceError {
  if (explicit === true) return new MillraceError('age_restricted', 'The video is for adults only.');
  if (passwordProtected) return new MillraceError('unavailable', 'The video is behind a password.');
  if (isPrivate === true) return new MillraceError('unavailable', 'The video is private.');
  if (isLive) return new MillraceError('unavailable', 'The live stream is not on air.', { retryable: true });
  return new MillraceError('invalid_response_data', 'The site names no stream of the video.');
}
