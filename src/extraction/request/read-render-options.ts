import { audioBitrates } from '../../contract/encoding.ts';
import { MillraceError } from '../../contract/errors.ts';
import { jobLimits } from '../../contract/job.ts';
import { parseClip } from '../../contract/parse-clip.ts';
import { type AudioFormat, type EmbeddedPart, maxLanguages } from '../../contract/render-parameters.ts';
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
  return {
    ...(typeof formats === 'object' ? { formats } : {}),
    audioFormats,
    ...(audioBitrate === undefined ? {} : { audioBitrate }),
    audioLanguages: readLanguages(parameters, 'audioLanguage'),
    ...readClip(parameters),
    embed,
    subtitleLanguages,
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
