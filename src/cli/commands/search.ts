import { type Call, defineCommand, type Options } from '../command-line/command.ts';
import { wholeNumber } from '../command-line/parse.ts';
import { serviceOptions } from '../service/options.ts';
import { openSession } from '../service/session.ts';
import { itemLine } from '../show/list-item.ts';
import { visibleJson } from '../terminal/visible.ts';

const endpoints = {
  all: 'search',
  video: 'search/video',
  channel: 'search/channel',
  playlist: 'search/playlist',
  movie: 'search/movie',
} as const;

const options = {
  type: { type: 'string', value: '<kind>', values: Object.keys(endpoints), meaning: 'What is searched; default all.' },
  limit: {
    type: 'string',
    short: 'n',
    value: '<number>',
    meaning: 'How many are shown, over as many pages; default 20.',
  },
  lang: { type: 'string', value: '<code>', meaning: 'Language of texts, such as de.' },
  json: { type: 'boolean', meaning: 'Print one JSON object a line, each a result.' },
  ...serviceOptions,
} as const satisfies Options;

/** `millrace search`. */
export const searchCommand = defineCommand({
  name: 'search',
  summary: 'Search p1, page after page.',
  forms: ['<words…>'],
  words: [1, 50],
  options,
  details: `Each line is an id, a kind, a length, a title and whose it is; "millrace get" takes the id. What reads the lines
can stop at any time.

  millrace search steam locomotives --type video --limit 50
  millrace get "$(millrace search steam locomotives --type video | head -1 | cut -d ' ' -f 1)"`,
  async run(call: Call<typeof options>) {
    const { values, terminal, signal, positionals } = call;
    const limit = wholeNumber('limit', values.limit ?? '20', 1);
    const endpoint = endpoints[(values.type ?? 'all') as keyof typeof endpoints];
    const session = await openSession(call, 'extraction');
    try {
      const parameters = { query: positionals.join(' '), lang: values.lang };
      for await (const item of session.client.items('p1', endpoint, parameters, { limit, signal })) {
        await terminal.print(`${values.json === true ? visibleJson(item) : itemLine(item)}\n`);
      }
      return 0;
    } finally {
      await session.close();
    }
  },
});
