import type { ExtractionResponse } from '#client/extraction.ts';
import { chooseLink } from '../command-line/choose-link.ts';
import { defineCommand, type Invocation, type Options } from '../command-line/command.ts';
import { itemLine } from '../formatters/list-item.ts';
import { listsOf } from '../formatters/lists.ts';
import { metadataTable } from '../formatters/metadata-table.ts';
import { qualityTable } from '../formatters/quality-table.ts';
import { serviceOptions } from '../service/options.ts';
import { openSession } from '../service/session.ts';
import { sanitiseJson, sanitiseLine } from '../terminal/sanitise.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { clockTime } from '../terminal/time-text.ts';

const options = {
  country: { type: 'string', value: '<code>', description: 'Country to send requests from, such as fr.' },
  lang: { type: 'string', value: '<code>', description: 'Language of the returned texts, such as de.' },
  json: { type: 'boolean', description: 'Print the whole response as JSON.' },
  ...serviceOptions,
} as const satisfies Options;

/** `millrace info`. */
export const infoCommand = defineCommand({
  name: 'info',
  summary: 'Show the title, author and all qualities of a link.',
  usage: ['<link|id>'],
  arity: [1, 1],
  options,
  details: `Pass a quality from the table to "millrace get --quality".

  millrace info 'https://www.dailymotion.com/video/…'
  millrace info '@somebody' --json | jq .metadata`,
  async run(invocation: Invocation<typeof options>) {
    const { values, terminal, signal, positionals } = invocation;
    const link = await chooseLink(positionals[0] ?? '', terminal, signal, values.json === true);
    const session = await openSession(invocation, 'extraction');
    try {
      const parameters = { countryCode: values.country, lang: values.lang };
      const result = await session.client.extractLink(link, parameters, { signal });
      if (values.json === true) await terminal.print(`${sanitiseJson(result, 2)}\n`);
      else await printResult(result, terminal);
      return 0;
    } finally {
      await session.close();
    }
  },
});

async function printResult(
  { metadata, contents = [], notes = [] }: ExtractionResponse,
  terminal: Terminal,
): Promise<void> {
  const author = textOf(metadata.author?.name) ?? textOf(metadata.author?.username) ?? textOf(metadata.author?.handle);
  const seconds = metadata.additionalData?.duration;
  if (metadata.title !== undefined) await printHeading(metadata.title, terminal);
  const facts = [author, typeof seconds === 'number' ? clockTime(seconds) : undefined];
  const line = facts.filter((fact) => fact !== undefined).map(sanitiseLine);
  if (line.length > 0) await terminal.print(`${line.join('  ')}\n`);
  if (contents.length === 0) await terminal.print(metadataTable(metadata));
  for (const [index, content] of contents.entries()) {
    await terminal.print('\n');
    if (contents.length > 1) await printHeading(`Item ${index + 1}`, terminal);
    await terminal.print(qualityTable(content));
  }
  for (const { name, items } of listsOf(metadata)) {
    await terminal.print('\n');
    await printHeading(name, terminal);
    for (const item of items) await terminal.print(`${itemLine(item)}\n`);
  }
  if (metadata.transcript !== undefined) {
    await terminal.print(`\nTranscripts: ${sanitiseLine(metadata.transcript.languages.join(', '))}\n`);
  }
  for (const note of notes) terminal.say(sanitiseLine(note), 'dim');
}

async function printHeading(text: string, terminal: Terminal): Promise<void> {
  await terminal.print(sanitiseLine(text), 'bold');
  await terminal.print('\n');
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
