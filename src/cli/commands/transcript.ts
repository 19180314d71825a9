import { writeFile } from 'node:fs/promises';
import type { ExtractionResponse } from '#client/extraction.ts';
import { type Call, defineCommand, type Options } from '../command-line/command.ts';
import { parseLink } from '../command-line/link-argument.ts';
import { CommandError, UsageError } from '../errors/command-errors.ts';
import { standardOutput } from '../get/destination.ts';
import { checkPath } from '../get/fetch.ts';
import { fileError } from '../get/file-error.ts';
import { serviceOptions } from '../service/options.ts';
import { openSession } from '../service/session.ts';
import { type TranscriptForm, transcriptForms, transcriptText } from '../show/subtitles.ts';
import { visible, visibleJson } from '../terminal/visible.ts';

const options = {
  lang: { type: 'string', value: '<code>', meaning: 'Language; default: that of the video.' },
  format: { type: 'string', value: '<format>', values: transcriptForms, meaning: 'text (default), srt, vtt or json.' },
  output: { type: 'string', short: 'o', value: '<path>', meaning: 'File to write to; default the output.' },
  force: { type: 'boolean', short: 'f', meaning: 'Replace a file that is there.' },
  list: { type: 'boolean', meaning: 'Print the languages that there are.' },
  ...serviceOptions,
} as const satisfies Options;

/** `millrace transcript`. */
export const transcriptCommand = defineCommand({
  name: 'transcript',
  summary: 'Print what is said in a video of p1.',
  forms: ['<link|id>'],
  words: [1, 1],
  options,
  details: `  millrace transcript <link> --list
  millrace transcript <link> --lang de --format srt --output film.de.srt`,
  async run(call: Call<typeof options>) {
    const { values, terminal, signal, positionals } = call;
    const { output = standardOutput, force = false } = values;
    const { platform, endpoint, parameters } = parseLink(positionals[0] ?? '');
    const { videoId } = parameters;
    if (platform !== 'p1' || endpoint !== 'video/details' || videoId === undefined) {
      throw new UsageError('Transcripts are there for videos of p1 alone.');
    }
    await checkPath(output, force);
    const session = await openSession(call, 'extraction');
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
        values.list === true ? languagesOf(result) : written(result, (values.format ?? 'text') as TranscriptForm);
      if (output === standardOutput) await terminal.print(text);
      else await write(output, visible(text), force);
      return 0;
    } finally {
      await session.close();
    }
  },
});

function languagesOf({ metadata }: ExtractionResponse): string {
  return (metadata.transcript?.languages ?? []).map((language) => `${language}\n`).join('');
}

function written({ metadata: { transcript } }: ExtractionResponse, form: TranscriptForm): string {
  const languages = transcript?.languages ?? [];
  if (transcript?.transcript === undefined) {
    const others = languages.length === 0 ? '' : ` There is one in ${languages.join(', ')} (--lang).`;
    throw new CommandError(`${transcript?.error ?? 'This video has no transcript.'}${others}`);
  }
  if (form === 'json') return `${visibleJson(transcript, 2)}\n`;
  return transcriptText(transcript.transcript.segments, form);
}

async function write(path: string, text: string, force: boolean): Promise<void> {
  try {
    await writeFile(path, text, { flag: force ? 'w' : 'wx' });
  } catch (error) {
    throw fileError(path, error);
  }
}
