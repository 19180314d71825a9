import Type from 'typebox';
import type { Segment } from '#client/transcript-text.ts';
import { MillraceError } from '../../contract/errors.ts';
import type { Platform } from '../../platforms/platform.ts';
import { argumentSchemas, argumentsOf } from '../argument-schemas.ts';
import { cutText, toolLimits } from '../limits.ts';
import { defineTool, type Tool } from '../tool.ts';
import { untrustedTextNote } from '../untrusted-text.ts';
import { endpointOf } from './endpoint.ts';
import { linkArguments, targetOf } from './link.ts';

const endpoint = 'video/details';

/** Creates the tool that returns transcripts, in pages that are short enough for a language model. */
export function getTranscriptTool(platforms: readonly Platform[]): Tool {
  const { parameters } = endpointOf(platforms, 'p1', endpoint);
  return defineTool({
    name: 'get_transcript',
    title: 'Get a transcript',
    description:
      'Returns the transcript of a YouTube (p1) video, each line with its start time. Long transcripts come in pages. ' +
      `Each page costs credits. ${untrustedTextNote}`,
    input: argumentsOf({
      link: linkArguments.link,
      ...argumentSchemas(parameters.properties, ['transcriptLanguage']),
      offset: Type.Optional(
        Type.Integer({ minimum: 0, description: 'The nextOffset of the previous page.', default: 0 }),
      ),
    }),
    output: Type.Object({
      language: Type.String(),
      kind: Type.String({ description: 'manual: written by a person. auto: recognised by the platform.' }),
      languages: Type.Array(Type.String(), { description: 'Values for transcriptLanguage.' }),
      text: Type.String({ description: 'Lines such as "[1:02] text".' }),
      nextOffset: Type.Union([Type.Integer(), Type.Null()], {
        description: 'Argument that requests the next page. null on the last page.',
      }),
    }),
    readOnly: true,
    async run({ link, offset = 0, ...language }, { client, signal }) {
      const { platform, endpoint: found, parameters: target } = targetOf({ link });
      if (platform !== 'p1' || found !== endpoint) {
        const message = 'Transcripts are only available for YouTube (p1) videos. Use the link of such a video.';
        throw new MillraceError('invalid_platform_url', message, { parameter: 'link' });
      }
      const { metadata } = await client.extractLink(
        { platform, endpoint, parameters: target },
        { getTranscript: true, fields: 'metadata.transcript', ...(language as Readonly<Record<string, string>>) },
        { signal },
      );
      const { transcript, languages = [], error } = metadata.transcript ?? {};
      const shown = languages.slice(0, toolLimits.notes);
      if (transcript === undefined) {
        const others = shown.length === 0 ? '' : ` Available languages: ${shown.join(', ')}.`;
        throw new MillraceError('not_found', `${error ?? 'This video has no transcript.'}${others}`);
      }
      const { text, nextOffset } = pageOf(transcript.segments, offset);
      return { language: transcript.language, kind: transcript.kind, languages: shown, text, nextOffset };
    },
  });
}

/** Returns the lines from an offset, as many as fit on a page but at least one, and the offset of the next page. */
function pageOf(segments: readonly Segment[], offset: number): { text: string; nextOffset: number | null } {
  let text = '';
  for (let index = offset; index < segments.length; index += 1) {
    const line = lineOf(segments[index]);
    if (text !== '' && text.length + line.length > toolLimits.transcript) return { text, nextOffset: index };
    text += line;
  }
  return { text, nextOffset: null };
}

function lineOf(segment: Segment | undefined): string {
  if (segment === undefined) return '';
  const words = segment.text.replace(/\s+/g, ' ').trim();
  return `[${clockTime(segment.startMs)}] ${cutText(words, toolLimits.transcript)}\n`;
}

/** Formats milliseconds as `1:02` or `1:01:02`. */
function clockTime(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
