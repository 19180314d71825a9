import type { Answer } from '#client/extraction.ts';
import type { RecognisedLink } from '#client/links.ts';
import { sizeText } from '../../contract/size-text.ts';
import { type Call, defineCommand, type Options } from '../command.ts';
import { askQuality } from '../get/ask-quality.ts';
import { type Choice, chooseFile } from '../get/choose.ts';
import { checkPlace, fetchFile } from '../get/fetch.ts';
import { formatsFor, namedQualities } from '../get/quality.ts';
import { standardOutput, targetOf } from '../get/target.ts';
import type { Fetched } from '../get/to-stream.ts';
import { wholeNumber } from '../parse.ts';
import { recognised } from '../recognise.ts';
import { CommandError } from '../report-error.ts';
import { createReporter, reportOptions } from '../reporter.ts';
import { serviceOptions } from '../service/options.ts';
import { openSession, type Session } from '../service/session.ts';
import { UsageError } from '../usage-error.ts';

const options = {
  quality: {
    type: 'string',
    value: '<quality>',
    proposals: [...namedQualities, '360p', '480p', '720p', '1080p', '1440p', '2160p'],
    meaning: 'best (default), worst, audio, image, or a label as info shows it. On a terminal you are asked.',
  },
  output: { type: 'string', short: 'o', value: '<path>', meaning: 'File or folder to write to; - is the output.' },
  item: { type: 'string', value: '<number>', meaning: 'Only this one of several pictures or videos; from 1.' },
  country: { type: 'string', value: '<code>', meaning: 'Country to ask from, such as fr.' },
  lang: { type: 'string', value: '<code>', meaning: 'Language of the sound, where there are several; such as de.' },
  force: { type: 'boolean', short: 'f', meaning: 'Replace a file that is there.' },
  ...reportOptions,
  ...serviceOptions,
} as const satisfies Options;

type GetCall = Call<typeof options>;

/** `millrace get`. */
export const getCommand = defineCommand({
  name: 'get',
  summary: 'Fetch a video, its sound or its pictures as files.',
  forms: ['<link|id>'],
  words: [1, 1],
  options,
  details: `The file comes whole or not at all under its name: until then it is name.part. Run the same command again, and a
download that broke off goes on. Nothing is replaced without --force. The paths of the files are printed.

  millrace get 'https://www.youtube.com/watch?v=…' --quality 720p
  millrace get 'https://www.instagram.com/p/…' --output pictures/
  millrace get '…' --quality audio --output - | ffplay -`,
  async run(call) {
    const { values, terminal, signal, positionals } = call;
    const link = recognised(positionals[0] ?? '');
    await checkOutput(call);
    const reporter = createReporter(terminal, values);
    const session = await openSession(call, 'extraction', {
      renders: true,
      starting: () => reporter.step({ stage: 'starting' }),
    });
    try {
      reporter.step({ stage: 'asking' });
      const asked = { countryCode: values.country, lang: values.lang };
      const quality = await qualityOf(call, () => session.client.askLink(link, asked, { signal }), reporter.close);
      const answer = await session.client.askLink(link, { ...asked, ...extras(link, quality) }, { signal });
      const files = await fetchAll(call, { link, quality, answer, session, reporter });
      const facts = { title: answer.metadata.title ?? null, platform: link.platform, files };
      const paths = files.map(({ path }) => path).filter((path) => path !== standardOutput);
      for (const { path, bytes } of files) reporter.say(`Saved ${sizeText(bytes)}${path === '-' ? '' : ' as'}`);
      await reporter.result(facts, paths.map((path) => `${path}\n`).join(''));
      return 0;
    } finally {
      reporter.close();
      await session.close();
    }
  },
});

/** What can be refused before anybody is asked. */
async function checkOutput({ values, terminal }: GetCall): Promise<void> {
  const { output, json, events } = values;
  if (output === undefined) return;
  if (output !== standardOutput) {
    await checkPlace(output, values.force === true);
    return;
  }
  if (json === true || events === true) throw new UsageError('The output can be the file or JSON, not both.');
  if (terminal.outputIsTerminal) throw new UsageError('A terminal is no place for a file: --output - is for pipes.');
}

async function qualityOf(call: GetCall, ask: () => Promise<Answer>, clear: () => void): Promise<string> {
  const { values, terminal, signal } = call;
  if (values.quality !== undefined) return values.quality;
  const program = values.json === true || values.events === true || values.quiet === true;
  if (program || !terminal.interactive) return 'best';
  const answer = await ask();
  clear();
  return await askQuality(answer, terminal, signal);
}

/** What is asked for beside the link. */
function extras(link: RecognisedLink, quality: string): Readonly<Record<string, readonly string[] | string>> {
  const formats = formatsFor(link, quality);
  // Sound of p1 lies at the site's own servers, which serve whoever asked the page: through the relay that is Millrace.
  const relayed = link.platform === 'p1' && quality === 'audio' ? { urlAccess: 'proxied' } : {};
  return { ...(formats.length === 0 ? {} : { renderableFormats: formats }), ...relayed };
}

interface Found {
  readonly link: RecognisedLink;
  readonly quality: string;
  readonly answer: Answer;
  readonly session: Session;
  readonly reporter: ReturnType<typeof createReporter>;
}

async function fetchAll(call: GetCall, { link, quality, answer, ...tools }: Found): Promise<Fetched[]> {
  const { values, terminal, signal } = call;
  const { country, lang } = values;
  const target = await targetOf(values.output);
  const chosen = choicesOf(answer, quality, values);
  const title = answer.metadata.title ?? Object.values(link.parameters).join(' ');
  const wanted = chosen.map(({ choice, number }) => ({
    choice,
    question: JSON.stringify([link.platform, link.endpoint, { ...link.parameters, country, lang }, quality, number]),
    path: target.placeOf({ title, ext: choice.ext, number, count: chosen.length }),
    force: values.force === true,
  }));
  for (const { path, force } of wanted) await checkPlace(path, force);
  const files: Fetched[] = [];
  for (const each of wanted) files.push(await fetchFile(each, { ...tools, signal }, terminal));
  return files;
}

/** What is fetched of each content of an answer, or of the one that is meant. */
function choicesOf(
  { contents = [] }: Answer,
  quality: string,
  { item, lang }: GetCall['values'],
): readonly { readonly choice: Choice; readonly number: number }[] {
  if (contents.length === 0)
    throw new CommandError('There is no file behind this link; "millrace info" shows what is.');
  const all = contents.map((content, index) => ({ content, number: index + 1 }));
  const only = item === undefined ? undefined : wholeNumber('item', item, 1);
  if (only !== undefined && only > all.length) throw new UsageError(`--item is a number from 1 to ${all.length}.`);
  return all
    .filter(({ number }) => only === undefined || number === only)
    .map(({ content, number }) => ({ choice: chooseFile(content, quality, lang), number }));
}
