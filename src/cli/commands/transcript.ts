import type { ExtractionResponse } from '#client/extraction.ts';
import { type TranscriptFormat, transcriptFormats, transcriptText } from '#client/transcript-text.ts';
import { defineCommand, type Invocation, type Options } from '../command-line/command.ts';
import { parseLink } from '../command-line/link-argument.ts';
import { CommandError, UsageError } from '../errors/command-errors.ts';
import { standardOutput } from '../get/destination.ts';
import { checkPath } from '../get/fetch-file.ts';
import { writeText } from '../get/write-text.ts';
import { serviceOptions } from '../service/options.ts';
import { openSession } from '../service/session.ts';
import { sanitiseJson } from '../terminal/sanitise.ts';

const options = {
  lang: { type: 'string', value: '<code>', description: 'Language of the transcript; default: that of the video.' },
  format: {
    type: 'string',
    value: '<format>',
    values: transcriptFormats,
    description: 'text (default), srt, vtt or json.',
  },
  output: { type: 'string', short: 'o', value: '<path>', description: 'File to write to; default: standard output.' },
  force: { type: 'boolean', short: 'f', description: 'Overwrite an existing file.' },
  list: { type: 'boolean', description: 'Print the available languages.' },
  ...serviceOptions,
} as const satisfies Options;

/** `millrace transcript`. */
export const transcriptCommand = defineCommand({
  name: 'transcript',
  summary: 'Print the transcript of a YouTube video.',
  usage: ['<link|id>'],
  arity: [1, 1],
  options,
  details: `  millrace transcript <link> --list
  millrace transcript <link> --lang de --format srt --output film.de.srt`,
  async run(invocation: Invocation<typeof options>) {
    const { values, terminal, signal, positionals } = invocation;
    const { output = standardOutput, force = false } = values;
    const { platform, endpoint, parameters } = parseLink(positionals[0] ?? '');
    const { videoId } = parameters;
    if (platform !== 'p1' || endpoint !== 'video/details' || videoId === undefined) {
      throw new UsageError('Transcripts are only available for YouTube (p1) videos.');
    }
    await checkPath(output, force);
    const session = await openSession(invocation, 'extraction');
    try {
      const result = await session.client.p1.video.details(
        {
          videoId,
          getTranscript: values.list !== true,
          fields: ['metadata.transcript'],
          transcriptLanguage: values.lang,
        },
        { signal },
      );
      const text =
        values.list === true
          ? languageList(result)
          : formatTranscript(result, (values.format ?? 'text') as TranscriptFormat);
      if (output === standardOutput) await terminal.print(text);
      else await writeText(output, text, force);
      return 0;
    } finally {
      await session.close();
    }
  },
});

function languageList({ metadata }: ExtractionResponse): string {
  return (metadata.transcript?.languages ?? []).map((language) => `${language}\n`).join('');
}

function formatTranscript({ metadata: { transcript } }: ExtractionResponse, format: TranscriptFormat): string {
  const languages = transcript?.languages ?? [];
  const segments = transcript?.transcript?.segments;
  if (segments === undefined) {
    const others = languages.length === 0 ? '' : ` Available languages: ${languages.join(', ')} (--lang).`;
    throw new CommandError(`${transcript?.error ?? 'This video has no transcript.'}${others}`);
  }
  if (format === 'json') return `${sanitiseJson(transcript, 2)}\n`;
  return transcriptText(segments, format);
}
