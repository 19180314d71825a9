import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { NewJob } from '#client/renders/job-target.ts';
import { sizeText } from '../../contract/size-text.ts';
import { type Call, defineCommand, type Options } from '../command-line/command.ts';
import { UsageError } from '../errors/command-errors.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { standardOutput, targetOf } from '../get/destination.ts';
import { fetchFile } from '../get/fetch.ts';
import type { FetchTools } from '../get/locate.ts';
import { followRender } from '../reporting/follow-render.ts';
import { createReporter, reportOptions } from '../reporting/reporter.ts';
import { serviceOptions } from '../service/options.ts';
import { openSession, serviceAddress } from '../service/session.ts';
import { previewText } from '../show/preview.ts';

const options = {
  plan: { type: 'boolean', short: 'p', meaning: 'Start nothing: print what would be done, with sizes and limits.' },
  wait: { type: 'boolean', short: 'w', meaning: 'Wait for its end, and print the link of its file.' },
  output: {
    type: 'string',
    short: 'o',
    value: '<path>',
    meaning: 'Wait, and fetch the file: to a file, a folder, or -.',
  },
  force: { type: 'boolean', short: 'f', meaning: 'Replace a file that is there.' },
  ...reportOptions,
  ...serviceOptions,
} as const satisfies Options;

type RenderCall = Call<typeof options>;

/** `millrace render`. */
export const renderCommand = defineCommand({
  name: 'render',
  summary: 'Start a job of your own: merge, convert, extract.',
  forms: ['<job.json|->'],
  words: [1, 1],
  options,
  details: `The job is described in JSON, as POST /api/v1/render/execute takes it; - reads it from the input. Without an id it
gets one. The key of the direct job API comes from --key-file, MILLRACE_RENDER_KEY, MILLRACE_RENDER_KEY_FILE, or a
question. Where no service is named, the job runs inside this command, which waits and fetches the file.

  millrace render job.json --plan
  millrace render job.json --wait
  echo '{"inputs":[{"url":"https://…/film.mp4","ext":"mp4"}],"output":{"ext":"mp3"},
         "operation":{"type":"extract_audio","copyStreams":false}}' | millrace render - --output sound.mp3`,
  async run(call: RenderCall) {
    const { values, terminal, signal } = call;
    const output = values.output ?? (serviceAddress(call) === undefined ? '' : undefined);
    if (output === standardOutput && terminal.outputIsTerminal) {
      throw new UsageError('A terminal is no place for a file: --output - is for pipes.');
    }
    const job = await readJob(call);
    const reporter = createReporter(terminal, values);
    const session = await openSession(call, 'render', {
      renders: true,
      webhooks: 'webhook' in job,
      starting: () => reporter.step({ stage: 'starting' }),
    });
    const tools = { session, reporter, signal };
    try {
      if (values.plan === true) return await showPreview(job, tools);
      if (output !== undefined) await fetchResult(call, job, output, tools);
      else await startJob(job, values.wait === true, tools);
      return 0;
    } finally {
      reporter.close();
      await session.close();
    }
  },
});

/** Prints the preview. Fails if it has problems. */
async function showPreview(job: NewJob, { session, reporter, signal }: FetchTools): Promise<number> {
  const preview = await session.client.renders.preview(job, { signal });
  await reporter.result(preview, previewText(preview));
  return preview.problems.length === 0 ? exitCodes.fine.code : exitCodes.failure.code;
}

/** Runs a job and fetches its file. */
async function fetchResult({ values, terminal }: RenderCall, job: NewJob, output: string, tools: FetchTools) {
  const { ext, downloadName } = job.output;
  const target = await targetOf(output === '' ? undefined : output);
  const path = target.pathOf({ title: downloadName ?? job.id ?? 'render', ext, number: 1, count: 1 });
  const request = { choice: { label: ext, ext, start: job }, query: JSON.stringify(job), path };
  const file = await fetchFile({ ...request, force: values.force === true }, tools, terminal);
  tools.reporter.say(`Saved ${sizeText(file.bytes)}${path === standardOutput ? '' : ' as'}`);
  if (path !== standardOutput) await tools.reporter.result(file, `${path}\n`);
}

/** Starts a job, and waits for it on request. */
async function startJob(job: NewJob, wait: boolean, { session, reporter, signal }: FetchTools): Promise<void> {
  const started = await session.client.renders.start(job, { signal });
  if (!wait) {
    reporter.say(`${started.message} Watch it: millrace watch ${started.jobId}`);
    await reporter.result(started, `${started.jobId}\n`);
    return;
  }
  const output = await followRender(session.client, started, reporter, signal);
  await reporter.result({ ...started, output }, `${output.url}\n`);
}

/** Reads the job. The service validates it. */
async function readJob({ positionals: [path = ''], terminal }: RenderCall): Promise<NewJob> {
  const where = path === standardOutput ? 'the input' : path;
  const content = await (path === standardOutput ? text(terminal.input) : readFile(path, 'utf8')).catch((error) => {
    throw new UsageError(`The job cannot be read from ${where}.`, { cause: error });
  });
  const job = parse(content, where);
  if (typeof job !== 'object' || job === null || Array.isArray(job))
    throw new UsageError(`${where} is no job: ${shape}`);
  const { output } = job as { readonly output?: unknown };
  if (typeof output !== 'object' || output === null || !('ext' in output) || typeof output.ext !== 'string') {
    throw new UsageError(`The job in ${where} lacks output.ext: ${shape}`);
  }
  // The rest is checked by the service, which names every member that is wrong.
  return job as NewJob;
}

const shape =
  '{"inputs":[{"url":"https://…","ext":"mp4"}],"output":{"ext":"mp3"},"operation":{"type":"extract_audio"}}';

function parse(content: string, where: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${where} is no JSON: ${message}`, { cause: error });
  }
}
