import type { ExtractionResponse } from '#client/extraction.ts';
import { routineNotes } from '../../contract/routine-notes.ts';
import { tagsOf } from '../../renderables/file-additions.ts';
import { chooseLink } from '../command-line/choose-link.ts';
import { defineCommand, type Invocation, type Options } from '../command-line/command.ts';
import { configOptions } from '../config-file/config-file.ts';
import { bestFilesLine } from '../formatters/best-files.ts';
import { itemLine } from '../formatters/list-item.ts';
import { listsOf } from '../formatters/lists.ts';
import { liveText } from '../formatters/live-text.ts';
import { overviewOf } from '../formatters/overview.ts';
import { qualityTable } from '../formatters/quality-table.ts';
import { parseSearch } from '../get/targets.ts';
import { serviceOptions } from '../service/options.ts';
import { openSession, type Session } from '../service/session.ts';
import { sanitiseJson, sanitiseLine } from '../terminal/sanitise.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { clockTime } from '../terminal/time-text.ts';

const options = {
  country: { type: 'string', value: '<code>', description: 'Country to send requests from, such as fr.' },
  lang: { type: 'string', value: '<code>', description: 'Language of the returned texts, such as de.' },
  json: { type: 'boolean', description: 'Print the whole response as JSON.' },
  ...configOptions,
  ...serviceOptions,
} as const satisfies Options;

/** `millrace info`. */
export const infoCommand = defineCommand({
  name: 'info',
  summary: 'Show the title, author and all qualities of a link.',
  usage: ['<link|id>'],
  arity: [1, 1],
  options,
  usesConfig: true,
  details: `Pass a quality from the table to "millrace get --quality".

  millrace info 'https://www.dailymotion.com/video/…'
  millrace info '@somebody' --json | jq .metadata`,
  async run(invocation: Invocation<typeof options>) {
    const { values, terminal, signal, positionals } = invocation;
    const [text = ''] = positionals;
    const link = parseSearch(text)?.link ?? (await chooseLink(text, terminal, signal, values.json === true));
    const session = await openSession(invocation, 'extraction');
    try {
      const parameters = { countryCode: values.country, lang: values.lang };
      const result = await session.client.extractLink(link, parameters, { signal });
      if (values.json === true) {
        await terminal.print(`${sanitiseJson(result, 2)}\n`);
        return 0;
      }
      // The response to a handle contains only the ID of the channel.
      const channelId = link.endpoint === 'channel/id-from-handle' ? result.metadata.channel?.channelId : undefined;
      const shown =
        channelId === undefined
          ? result
          : await session.client.extractLink(
              { platform: 'p1', endpoint: 'channel/details', parameters: { channelId } },
              parameters,
              { signal },
            );
      await printResult(shown, terminal);
      for (const note of notesToPrint(shown, session)) terminal.say(sanitiseLine(note), 'dim');
      return 0;
    } finally {
      await session.close();
    }
  },
});

/** Returns the notes of a result, without those about links, which are not printed, and about the price of a local service. */
function notesToPrint({ notes = [] }: ExtractionResponse, { service }: Session): readonly string[] {
  const hidden = [routineNotes.links, ...(service === undefined ? [routineNotes.price] : [])];
  return notes.filter((note) => !hidden.some((beginning) => note.startsWith(beginning)));
}

async function printResult({ metadata, contents = [] }: ExtractionResponse, terminal: Terminal): Promise<void> {
  const author = textOf(metadata.author?.name) ?? textOf(metadata.author?.username) ?? textOf(metadata.author?.handle);
  const seconds = metadata.additionalData?.duration;
  const tag = metadata.hashtag?.tag;
  const title = metadata.title ?? (tag === undefined ? (contents.length === 0 ? author : undefined) : `#${tag}`);
  if (title !== undefined) await printHeading(title, terminal);
  // The date of a profile or a list is that of its creation, which nobody looks for first.
  const date = contents.length === 0 ? undefined : tagsOf(metadata).date;
  const facts = [
    liveText(metadata),
    title === author ? undefined : author,
    typeof seconds === 'number' ? clockTime(seconds) : undefined,
    date,
  ];
  const line = facts.filter((fact) => fact !== undefined).map(sanitiseLine);
  if (line.length > 0) await terminal.print(`${line.join(' · ')}\n`);
  if (contents.length === 0) await terminal.print(overviewOf(metadata));
  for (const [index, content] of contents.entries()) {
    if (contents.length > 1) await terminal.print('\n');
    if (contents.length > 1) await printHeading(`Item ${index + 1}`, terminal);
    const best = bestFilesLine(content);
    if (best !== '') await terminal.print(`${best}\n\n`);
    await terminal.print(qualityTable(content));
  }
  // The lists of a video, such as related ones, would only hide its qualities.
  for (const { name, items } of contents.length === 0 ? listsOf(metadata) : []) {
    await terminal.print('\n');
    await printHeading(name, terminal);
    for (const item of items) await terminal.print(`${itemLine(item)}\n`);
  }
  if (metadata.transcript !== undefined && metadata.transcript.languages.length > 0) {
    await terminal.print(`\nTranscripts: ${sanitiseLine(metadata.transcript.languages.join(', '))}\n`);
  }
}

async function printHeading(text: string, terminal: Terminal): Promise<void> {
  await terminal.print(sanitiseLine(text), 'bold');
  await terminal.print('\n');
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
