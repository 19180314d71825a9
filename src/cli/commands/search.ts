import { defineCommand, type Invocation, type Options } from '../command-line/command.ts';
import { parseWholeNumber } from '../command-line/parse.ts';
import { itemLine } from '../formatters/list-item.ts';
import { serviceOptions } from '../service/options.ts';
import { openSession } from '../service/session.ts';
import { sanitiseJson } from '../terminal/sanitise.ts';

const endpoints = {
  all: 'search',
  video: 'search/video',
  channel: 'search/channel',
  playlist: 'search/playlist',
  movie: 'search/movie',
} as const;

const options = {
  type: {
    type: 'string',
    value: '<kind>',
    values: Object.keys(endpoints),
    description: 'What is searched; default all.',
  },
  limit: {
    type: 'string',
    short: 'n',
    value: '<number>',
    description: 'How many are shown, over as many pages; default 20.',
  },
  lang: { type: 'string', value: '<code>', description: 'Language of texts, such as de.' },
  json: { type: 'boolean', description: 'Print one JSON object a line, each a result.' },
  ...serviceOptions,
} as const satisfies Options;

/** `millrace search`. */
export const searchCommand = defineCommand({
  name: 'search',
  summary: 'Search p1, page after page.',
  usage: ['<words…>'],
  arity: [1, 50],
  options,
  details: `Each line is an id, a kind, a length, a title and whose it is; "millrace get" takes the id. What reads the lines
can stop at any time.

  millrace search steam locomotives --type video --limit 50
  millrace get "$(millrace search steam locomotives --type video | head -1 | cut -d ' ' -f 1)"`,
  async run(invocation: Invocation<typeof options>) {
    const { values, terminal, signal, positionals } = invocation;
    const limit = parseWholeNumber('limit', values.limit ?? '20', 1);
    const endpoint = endpoints[(values.type ?? 'all') as keyof typeof endpoints];
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
