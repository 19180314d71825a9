import Type from 'typebox';
import { MillraceError } from '../../../contract/errors.ts';
import { countryCodeParameter, generalFormats, renderableFormatsParameter } from '../../../contract/parameters.ts';
import { renderParameters } from '../../../contract/render-parameters.ts';
import { noSubjects } from '../../../contract/subjects.ts';
import type { MasterPlaylist } from '../../../hls/master-playlist.ts';
import { defined, unlessEmpty } from '../../../parsing/values.ts';
import { runInTurns } from '../../../waiting/steps.ts';
import { defineEndpoint } from '../../define-endpoint.ts';
import { namedIn } from '../../named-ids.ts';
import type { Extraction, ExtractionContext, SourceClient } from '../../platform.ts';
import { noteOnOrder } from '../../profile-note.ts';
import { addUnread, type UnreadKinds, UnreadResponseError, unreadResponse } from '../../unread.ts';
import { findFacts } from '../find-facts.ts';
import { findVideo } from '../find-video.ts';
import { metadataStrategies, videoMetadata } from '../parse/content-metadata.ts';
import { parseManifest, underDrm } from '../parse/manifest.ts';
import type { VideoMetadata } from '../parse/player-metadata.ts';
import { sourceCaptionsOf } from '../parse/source-captions.ts';
import { videoContent } from '../parse/video-content.ts';
import { requestManifest } from '../requests.ts';
import type { Site } from '../site.ts';
import { videoIdOf, videoIdParameter } from './parameters.ts';

/** The media and metadata of a video. */
export function videoDetails(site: Site) {
  return defineEndpoint({
    path: '/video/details',
    summary: 'Media and metadata of a video',
    parameters: Type.Object({
      videoId: videoIdParameter,
      renderableFormats: Type.Optional(
        renderableFormatsParameter(
          Type.String({ pattern: `^(?:${generalFormats.join('|')}|(?:hls-)?[0-9]{2,4})$` }),
          `Qualities to prepare renders for: ${generalFormats.join(', ')}, or a number from a video's label (hls-720), such as 240, 380, 480, 720 or 1080.`,
        ),
      ),
      ...renderParameters,
      countryCode: Type.Optional(countryCodeParameter),
    }),
    credits: 1,
    contents: true,
    returns: ['additionalData'],
    strategies: metadataStrategies,
    renderables: {
      matches: (label, format) => label === format || label === `hls-${format}` || label === `http-${format}`,
      audio: true,
    },
    subjects: ({ videoId }) => ({ items: namedIn(videoIdOf, videoId) }),
    canonical: ({ videoId }) => ({ videoId: videoIdOf(videoId) }),
    async extract({ videoId, countryCode }, context) {
      const anyCountry = countryCode === undefined || countryCode === 'worldwide';
      return await extractVideo(videoIdOf(videoId), anyCountry, context, site);
    },
  });
}

/**
 * @param anyCountry Whether the caller left the choice of country to the service. If false, `context.source` is in the
 * caller's country.
 */
async function extractVideo(
  videoId: string,
  anyCountry: boolean,
  context: ExtractionContext,
  site: Site,
): Promise<Extraction> {
  const order = context.profileOrder(metadataStrategies);
  const { video, strategy, source, facts: existingFacts } = await findVideo(videoId, anyCountry, order, context, site);
  if (video.protectedDelivery) throw underDrm();
  const [{ master, failure }, { facts, notes = [], incomplete = false }] = await Promise.all([
    findMaster(video, source, site, context.signal),
    existingFacts ?? findFacts(video.id, source, site, context.signal),
  ]);
  if (master === undefined && video.files.length + video.playlists.length === 0) throw failure ?? withoutStreams(video);
  const missing = failure === undefined ? [] : [`Some qualities are missing: ${failure.message}`];
  return {
    contents: [{ ...videoContent(video, master), subjects: noSubjects }],
    metadata: videoMetadata(video, facts, strategy),
    ...defined({ captions: unlessEmpty(sourceCaptionsOf(video)) }),
    unread: addUnread(
      video.unreadStreams,
      video.unreadSubtitles,
      failure instanceof UnreadResponseError ? failure.unread : undefined,
    ),
    ...(incomplete || failure?.retryable === true ? { incomplete: true } : {}),
    profile: strategy,
    ...defined({
      notes: unlessEmpty([...noteOnOrder(metadataStrategies, order, strategy), ...missing, ...notes]),
      country: source.country,
    }),
  };
}

/**
 * Fetches the master playlist, or returns the reason that it could not be read. That is not fatal, because the metadata
 * itself may also list streams.
 */
async function findMaster(
  video: VideoMetadata,
  source: SourceClient,
  site: Site,
  signal: AbortSignal,
): Promise<{ readonly master?: MasterPlaylist; readonly failure?: MillraceError }> {
  const [address] = video.masters;
  if (address === undefined) return {};
  try {
    const { text, status, url } = await requestManifest(source, site, address);
    return { master: await runInTurns(parseManifest(text, status, url), signal) };
  } catch (error) {
    if (!(error instanceof MillraceError) || signal.aborted) throw error;
    return { failure: error };
  }
}

/**
 * Returns the error for metadata without any streams. If the site lists streams that cannot be read, nothing else in
 * the metadata explains that they are missing.
 */
function withoutStreams({ unreadStreams, ...video }: VideoMetadata): MillraceError {
  if (Object.keys(unreadStreams).length > 0) return unreadable(unreadStreams);
  if (video.explicit === true) return new MillraceError('age_restricted', 'The video is for adults only.');
  if (video.passwordProtected) return new MillraceError('unavailable', 'The video is password-protected.');
  if (video.isPrivate === true) return new MillraceError('unavailable', 'The video is private.');
  if (video.isLive) return new MillraceError('unavailable', 'The live stream is not on air.', { retryable: true });
  return unreadable({ qualities: 1 });
}

function unreadable(unread: UnreadKinds): UnreadResponseError {
  return unreadResponse('Dailymotion returned the streams', unread);
}
