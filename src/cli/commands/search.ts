import { searchEndpoints } from '#client/search-endpoints.ts';
import { defineCommand, type Invocation, type Options } from '../command-line/command.ts';
import { parseWholeNumber } from '../command-line/parse.ts';
import { itemLine } from '../formatters/list-item.ts';
import { serviceOptions } from '../service/options.ts';
import { openSession } from '../service/session.ts';
import { sanitiseJson } from '../terminal/sanitise.ts';

const options = {
  type: {
    type: 'string',
    value: '<kind>',
    values: Object.keys(searchEndpoints),
    description: 'Kind of results; default all.',
  },
  limit: {
    type: 'string',
    short: 'n',
    value: '<number>',
    description: 'Maximum number of results, over as many pages as needed; default 20.',
  },
  lang: { type: 'string', value: '<code>', description: 'Language of the returned texts, such as de.' },
  json: { type: 'boolean', description: 'Print one JSON object per line, one for each result.' },
  ...serviceOptions,
} as const satisfies Options;

/** `millrace search`. */
export const searchCommand = defineCommand({
  name: 'search',
  summary: 'Search YouTube.',
  usage: ['<words…>'],
  arity: [1, 50],
  options,
  details: `Each line contains an ID, kind, length, title and author; pass the ID to "millrace get". The program
that reads the lines can stop at any time.

  millrace search steam locomotives --type video --limit 50
  millrace get "$(millrace search steam locomotives --type video | head -1 | cut -d ' ' -f 1)"`,
  async run(invocation: Invocation<typeof options>) {
    const { values, terminal, signal, positionals } = invocation;
    const limit = parseWholeNumber('limit', values.limit ?? '20', 1);
    const endpoint = searchEndpoints[(values.type ?? 'all') as keyof typeof searchEndpoints];
    const session = await openSession(invocation, 'extraction');
    try {
      const parameters = { query: positionals.join(' '), lang: values.lang };
      for await (const item of session.client.items('p1', endpoint, parameters, { limit, signal })) {
        await terminal.print(`${values.json === true ? sanitiseJson(item) : itemLine(item)}\n`);
      }
      return 0;
    } finally {
      await session.close();
    }
  },
});
