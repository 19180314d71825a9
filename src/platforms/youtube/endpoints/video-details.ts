import Type from 'typebox';
import {
  countryCodeParameter,
  fieldsParameter,
  generalFormats,
  langParameter,
  renderableFormatsParameter,
  urlAccessParameter,
} from '../../../contract/parameters.ts';
import { renderParameters } from '../../../contract/render-parameters.ts';
import { noSubjects } from '../../../contract/subjects.ts';
import { defined, unlessEmpty } from '../../../parsing/values.ts';
import { defineEndpoint } from '../../define-endpoint.ts';
import { namedIn } from '../../named-ids.ts';
import type { ExtractionContext } from '../../platform.ts';
import { addUnread } from '../../unread.ts';
import { findContent, linkNote } from '../find/video-content.ts';
import { fetchVideo, type RequestedResponses } from '../find/video-responses.ts';
import { findTranscript } from '../find/video-transcript.ts';
import { partsOfPosts } from '../parse/items/post-parts.ts';
import { sourceCaptionsOf } from '../parse/player/caption-links.ts';
import { readCaptions } from '../parse/player/captions.ts';
import { readVideoMetadata } from '../parse/video-metadata.ts';
import { readRelated, unreadParts } from '../parse/watch/watch-page.ts';
import type { EndpointFactory } from './endpoint-factory.ts';
import { readVideoId } from './link-parameters.ts';
import { videoIdParameter } from './parameters.ts';

const videoLabels = '(?:144|240|360|480|720|1080|1440|2160|4320)p(?:[1-9][0-9]{1,2})?(?: HDR)?';

const parametersSchema = Type.Object({
  videoId: videoIdParameter,
  renderableFormats: Type.Optional(
    renderableFormatsParameter(
      Type.String({ pattern: `^(?:${generalFormats.join('|')}|${videoLabels})$` }),
      `Qualities to prepare renders for: ${generalFormats.join(', ')}, or a video's label: 144p, ` +
        '240p, 360p, 480p, 720p, 720p60, 1080p, 1080p60, 1440p, 1440p60, 2160p, 2160p60, or any of these followed by " HDR".',
    ),
  ),
  ...renderParameters,
  urlAccess: Type.Optional(urlAccessParameter),
  getTranscript: Type.Optional(
    Type.Enum(['true', 'false'], {
      description: 'Whether to return the transcript: true or false (default).',
      default: 'false',
      examples: ['true'],
    }),
  ),
  transcriptLanguage: Type.Optional(
    Type.String({
      maxLength: 50,
      description:
        'Language of the transcript, one of metadata.transcript.languages. The default is the primary track.',
      examples: ['de'],
    }),
  ),
  fields: Type.Optional(fieldsParameter),
  countryCode: Type.Optional(countryCodeParameter),
  lang: Type.Optional(langParameter),
});

/** Creates the endpoint for a video: its media, and all data on its page. */
export const videoDetails: EndpointFactory = (openInnertube, { mediaOrder }) =>
  defineEndpoint({
    path: '/video/details',
    summary: 'Media, metadata and transcript of a video',
    parameters: parametersSchema,
    credits: { usual: 1, relayedOrRendered: 2 },
    contents: true,
    renderables: { matches: (label, format) => label === format, audio: false },
    strategies: mediaOrder.map(({ name }) => name),
    optionalParts: ['contents', 'metadata.author', 'metadata.additionalData', 'metadata.transcript'],
    subjects: ({ videoId }) => ({ items: namedIn(readVideoId, videoId) }),
    canonical: ({ videoId }) => ({ videoId: readVideoId(videoId) }),
    async extract({ getTranscript, transcriptLanguage, lang, ...parameters }, context) {
      const videoId = readVideoId(parameters.videoId);
      const { requestsPart, signal, source } = context;
      const innertube = openInnertube({ lang }, context);
      const transcriptRequest = { requested: getTranscript === 'true', language: transcriptLanguage };
      const responses = await fetchVideo(
        innertube,
        videoId,
        requestedResponses(requestsPart, transcriptRequest.requested),
        context,
      );
      const { player, web, watch, failures } = responses;
      const language = lang === undefined ? undefined : innertube.language;
      const captions = readCaptions(player?.response, web?.response);
      const [media, transcript] = await Promise.all([
        player !== undefined && requestsPart('contents') ? findContent(innertube, player, language, signal) : undefined,
        requestsPart('metadata.transcript')
          ? findTranscript(innertube, captions, transcriptRequest, signal)
          : undefined,
      ]);
      const related = watch && readRelated(watch.response, watch.translation);
      return {
        ...(media === undefined ? {} : { contents: [{ ...media.content, subjects: noSubjects }] }),
        metadata: {
          ...readVideoMetadata(videoId, {
            player: player?.response,
            web: web?.response,
            translation: web?.translation,
            watch: watch?.response,
            related: related?.items,
            scheduledAt: player?.playability.state === 'offline' ? player.playability.scheduledAt : undefined,
          }),
          ...defined({ transcript }),
        },
        ...defined({ captions: unlessEmpty(sourceCaptionsOf(captions.tracks, innertube.site.web.userAgent)) }),
        parts: partsOfPosts(related?.items ?? [], ['additionalData', 'related']),
        notes: [...(media?.notes ?? []), ...failures.map(({ message }) => `Some details are missing: ${message}`)],
        unread: addUnread(responses.unread, watch && unreadParts(watch.response), related?.unread),
        ...(media?.content.videos === undefined || player === undefined ? {} : { linkNotes: [linkNote(player)] }),
        incomplete:
          media?.incomplete === true || failures.some(({ retryable }) => retryable) || isTranscriptMissing(transcript),
        ...defined({ country: source.country, profile: media && player?.profile.name }),
      };
    },
  });

/** Returns whether the video has a transcript that could not be fetched this time. */
function isTranscriptMissing(transcript: Readonly<Record<string, unknown>> = {}): boolean {
  return transcript.selectedLanguage !== undefined && transcript.error !== undefined;
}

/**
 * Returns the responses that the requested parts need. Captions need the player that serves media, because links from
 * the WEB player often work only on its own page.
 */
function requestedResponses(requestsPart: ExtractionContext['requestsPart'], transcript: boolean): RequestedResponses {
  return {
    player: requestsPart('contents') || (transcript && requestsPart('metadata.transcript')),
    watch: requestsPart('metadata.author') || requestsPart('metadata.additionalData'),
  };
}
