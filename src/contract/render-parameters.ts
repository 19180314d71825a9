import Type from 'typebox';
import { audioBitrates, videoCodecs } from './encoding.ts';
import { jobLimits, operations } from './job.ts';
import { languageTagPattern } from './language-tag.ts';
import type { OutputMetadata } from './output-additions.ts';

/** The formats in which the audio of a content can be rendered. `original` keeps its codec. */
export const audioFormats = ['mp3', 'm4a', 'opus', 'flac', 'wav', 'original'] as const;

/** A format in which the audio of a content can be rendered. */
export type AudioFormat = (typeof audioFormats)[number];

/** What can be written into rendered files. */
export const embeddedParts = ['metadata', 'chapters', 'cover', 'subtitles'] as const;

/** What can be written into rendered files. */
export type EmbeddedPart = (typeof embeddedParts)[number];

/** Maximum number of languages in one parameter: the inputs of a job, without its video. */
export const maxLanguages = operations.join_streams.maxInputs - 1;

function languagesParameter(description: string) {
  return Type.Array(Type.String({ pattern: languageTagPattern, maxLength: 35 }), {
    description,
    uniqueItems: true,
    maxItems: maxLanguages,
    examples: [['de', 'en']],
  });
}

/** Maximum length of the tags that parameters set, in characters. */
const MAX_TAG = 500;

function tagParameter(name: string, example: string) {
  return Type.Optional(
    Type.String({
      maxLength: MAX_TAG,
      description: `${name} of rendered files, in place of the platform's. Up to ${MAX_TAG} characters.`,
      examples: [example],
    }),
  );
}

/** The parameters that set tags of rendered files. */
const tagParameters = {
  tagTitle: tagParameter('Title, also in the name,', 'Ten facts about bridges'),
  tagArtist: tagParameter('Artist', 'Harbours Society'),
  tagAlbum: tagParameter('Album', 'Bridges of the world'),
  tagDate: Type.Optional(
    Type.String({
      pattern: '^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$',
      description: "Date of rendered files, in place of the platform's: 2026, 2026-11 or 2026-11-26.",
      examples: ['2026-11-26'],
    }),
  ),
  tagGenre: tagParameter('Genre', 'Documentary'),
  tagComment: tagParameter('Comment', 'For the course on bridges'),
} as const;

/** The parameters that set tags, each with its tag. */
export const tagsByParameter: Readonly<Record<keyof typeof tagParameters, keyof OutputMetadata>> = {
  tagTitle: 'title',
  tagArtist: 'artist',
  tagAlbum: 'album',
  tagDate: 'date',
  tagGenre: 'genre',
  tagComment: 'comment',
};

/**
 * The parameters that describe the files to render, for every endpoint with renderables. `renderableFormats` depends on
 * the endpoint.
 */
export const renderParameters = {
  renderableAudios: Type.Optional(
    Type.Array(Type.Enum([...audioFormats]), {
      description:
        `Comma-separated audio formats to prepare renders for: ${audioFormats.join(', ')}. original copies the audio ` +
        'without re-encoding it. They count towards the plan after those of renderableFormats.',
      uniqueItems: true,
      examples: [['mp3']],
    }),
  ),
  renderableAudioBitrate: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,6}$',
      description:
        `Bit rate of the formats mp3, m4a and opus in renderableAudios: ${audioBitrates.min} to ${audioBitrates.max} ` +
        'kbit/s. The audio is then always encoded.',
      examples: ['192'],
    }),
  ),
  videoCodec: Type.Optional(
    Type.Enum([...videoCodecs], {
      description:
        'Codec of the video of rendered files, which is copied without re-encoding. If no video has it, the items have an ' +
        'error that lists those that exist. The default is the one that most devices play. It cannot be combined with ' +
        'maxSize.',
      examples: ['av1'],
    }),
  ),
  audioLanguage: Type.Optional(
    languagesParameter(
      'Comma-separated languages of the audio of rendered files, such as de or pt-BR; each becomes a track. They take ' +
        'precedence over lang. If one is not available, the items have an error that lists those that are.',
    ),
  ),
  clip: Type.Optional(
    Type.String({
      // The bounded repetitions keep the time linear. parseClip() reads the times.
      pattern: '^[0-9:.]{0,20}-[0-9:.]{0,20}$',
      description:
        'Part of the media to render, as start-end: 90-150, 1:30-2:30, 90- (to the end) or -150 (from the beginning). ' +
        'Times are seconds, mm:ss or hh:mm:ss, with up to three decimals.',
      examples: ['1:30-2:30'],
    }),
  ),
  embed: Type.Optional(
    Type.Array(Type.Enum([...embeddedParts, 'none']), {
      description:
        `Comma-separated parts to write into rendered files: ${embeddedParts.join(', ')}; or none. The default is ` +
        'metadata,chapters. Only files with video get subtitles.',
      uniqueItems: true,
      examples: [['metadata', 'cover']],
    }),
  ),
  subtitleLanguages: Type.Optional(
    languagesParameter(
      'Comma-separated languages of the subtitles to embed, which embed then includes by default. Without it, ' +
        'embed=subtitles writes every language that a person wrote captions in.',
    ),
  ),
  ...tagParameters,
  maxSize: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,12}$',
      description:
        `Maximum size of rendered files in bytes, ${jobLimits.maxSize.min} to ${jobLimits.maxSize.max}. Video and ` +
        'audio that is not known to be smaller is encoded to fit. It does not apply to flac, wav and original.',
      examples: ['8000000'],
    }),
  ),
} as const;

/** Parameters that the service applies for each caller when it builds the response. Extractions do not receive them. */
export const appliedParameters = [
  'fields',
  'renderableFormats',
  'urlAccess',
  ...(Object.keys(renderParameters) as (keyof typeof renderParameters)[]),
] as const;
