import Type from 'typebox';
import { audioBitrates } from './encoding.ts';
import { jobLimits, operations } from './job.ts';
import { languageTagPattern } from './language-tag.ts';

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
