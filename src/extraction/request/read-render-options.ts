import { audioBitrates, type VideoCodec } from '../../contract/encoding.ts';
import { MillraceError } from '../../contract/errors.ts';
import { jobLimits } from '../../contract/job.ts';
import type { OutputMetadata } from '../../contract/output-additions.ts';
import { parseClip } from '../../contract/parse-clip.ts';
import {
  type AudioFormat,
  type EmbeddedPart,
  maxLanguages,
  tagsByParameter,
} from '../../contract/render-parameters.ts';
import type { EndpointParameters } from '../../platforms/platform.ts';
import { isLossy } from '../../renderables/choose-audio-formats.ts';
import { defaultRenderOptions, type RenderOptions } from '../../renderables/render-options.ts';

/**
 * Reads the parameters for rendered files, and checks what their schemas cannot express.
 *
 * @param parameters As `readParameters` returns them.
 * @throws MillraceError `invalid_params` with the parameter's name.
 */
export function readRenderOptions(parameters: EndpointParameters): RenderOptions {
  const formats = parameters.renderableFormats;
  const audioFormats = listOf(parameters, 'renderableAudios') as AudioFormat[];
  const subtitleLanguages = readLanguages(parameters, 'subtitleLanguages');
  const embed = readEmbed(listOf(parameters, 'embed') as (EmbeddedPart | 'none')[], subtitleLanguages.length > 0);
  const audioBitrate = readNumber(parameters, 'renderableAudioBitrate', audioBitrates, 'kbit/s');
  const maxSize = readNumber(parameters, 'maxSize', jobLimits.maxSize, 'bytes');
  if (audioBitrate !== undefined && audioFormats.length > 0 && !audioFormats.some(isLossy)) {
    throw invalid('renderableAudioBitrate', 'requires mp3, m4a or opus in renderableAudios');
  }
  const { videoCodec } = parameters;
  if (videoCodec !== undefined && maxSize !== undefined) {
    throw invalid('videoCodec', 'cannot be combined with maxSize, which can encode the video');
  }
  return {
    ...(typeof formats === 'object' ? { formats } : {}),
    // Its schema has checked the value.
    ...(videoCodec === undefined ? {} : { videoCodec: videoCodec as VideoCodec }),
    audioFormats,
    ...(audioBitrate === undefined ? {} : { audioBitrate }),
    audioLanguages: readLanguages(parameters, 'audioLanguage'),
    ...readClip(parameters),
    embed,
    subtitleLanguages,
    ...readTags(parameters, embed),
    ...(maxSize === undefined ? {} : { maxSize }),
  };
}

function readClip({ clip: text }: EndpointParameters): Pick<RenderOptions, 'clip'> {
  if (typeof text !== 'string') return {};
  const clip = parseClip(text);
  if (typeof clip === 'string') throw invalid('clip', clip);
  // The whole media is not a clip.
  return clip.start === 0 && clip.end === undefined ? {} : { clip };
}

/** @param withSubtitles Whether languages of subtitles are requested. They are then embedded by default. */
function readEmbed(parts: readonly (EmbeddedPart | 'none')[], withSubtitles: boolean): RenderOptions['embed'] {
  if (parts.length === 0) {
    return withSubtitles ? new Set([...defaultRenderOptions.embed, 'subtitles']) : defaultRenderOptions.embed;
  }
  if (withSubtitles && !parts.includes('subtitles')) throw invalid('subtitleLanguages', 'requires subtitles in embed');
  const embeddedParts = parts.filter((part) => part !== 'none');
  if (embeddedParts.length === parts.length) return new Set(embeddedParts);
  if (embeddedParts.length > 0) throw invalid('embed', 'cannot be none together with other parts');
  return new Set();
}

function readTags(parameters: EndpointParameters, embed: RenderOptions['embed']): Pick<RenderOptions, 'tags'> {
  const tags: Partial<Record<keyof OutputMetadata, string>> = {};
  for (const [parameter, tag] of Object.entries(tagsByParameter)) {
    const value = parameters[parameter];
    if (typeof value !== 'string') continue;
    if (!embed.has('metadata')) throw invalid(parameter, 'requires metadata in embed');
    tags[tag] = value;
  }
  return Object.keys(tags).length === 0 ? {} : { tags };
}

function readLanguages(parameters: EndpointParameters, name: 'audioLanguage' | 'subtitleLanguages'): string[] {
  const languages = listOf(parameters, name);
  if (languages.length > maxLanguages) throw invalid(name, `cannot have more than ${maxLanguages} languages`);
  return languages;
}

function readNumber(
  parameters: EndpointParameters,
  name: 'renderableAudioBitrate' | 'maxSize',
  { min, max }: { readonly min: number; readonly max: number },
  unit: string,
): number | undefined {
  const text = parameters[name];
  if (typeof text !== 'string') return undefined;
  const value = Number(text);
  if (value < min || value > max) throw invalid(name, `must be ${min} to ${max} ${unit}`);
  return value;
}

function listOf(parameters: EndpointParameters, name: string): string[] {
  const values = parameters[name];
  return typeof values === 'object' ? [...values] : [];
}

function invalid(parameter: string, problem: string): MillraceError {
  return new MillraceError('invalid_params', `${parameter} ${problem}. Correct it and send the request again.`, {
    parameter,
  });
}
