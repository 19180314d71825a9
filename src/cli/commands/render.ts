import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { NewJob } from '#client/renders/job-target.ts';
import { receiptOf } from '../../contract/addresses.ts';
import { sizeText } from '../../contract/size-text.ts';
import { untilAborted } from '../../waiting/until-aborted.ts';
import { defineCommand, type Invocation, type Options } from '../command-line/command.ts';
import { UsageError } from '../errors/command-errors.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { previewText } from '../formatters/preview-text.ts';
import { resolveDestination, standardOutput } from '../get/destination.ts';
import { checkPath, fetchFile } from '../get/fetch-file.ts';
import type { FetchContext } from '../get/locate-file.ts';
import { checkReceiptOption, receiptOption } from '../get/save-receipt.ts';
import { followToEnd } from '../reporting/follow-render.ts';
import { type CommandReporter, createReporter, reportOptions } from '../reporting/reporter.ts';
import { serviceOptions } from '../service/options.ts';
import { openSession, serviceAddress } from '../service/session.ts';

const options = {
  plan: {
    type: 'boolean',
    short: 'p',
    description: 'Preview the job: print what it would do, with sizes and limits, and start nothing.',
  },
  wait: {
    type: 'boolean',
    short: 'w',
    description: 'Wait until the job finishes, and print the download link to its file.',
  },
  output: {
    type: 'string',
    short: 'o',
    value: '<path>',
    description: 'Wait, and download the result to this file or folder; - for standard output.',
  },
  force: { type: 'boolean', short: 'f', description: 'Overwrite an existing file.' },
  ...receiptOption,
  ...reportOptions,
  ...serviceOptions,
} as const satisfies Options;

type RenderInvocation = Invocation<typeof options>;

type RenderContext = FetchContext & { readonly reporter: CommandReporter };

/** `millrace render`. */
export const renderCommand = defineCommand({
  name: 'render',
  summary: 'Start your own job: merge, convert or extract.',
  usage: ['<job.json|->'],
  arity: [1, 1],
  options,
  details: `The job is described in JSON, as for POST /api/v1/render/execute. Pass - to read it from standard input. A job without
an ID gets one. The key of the direct job API comes from --key-file, MILLRACE_RENDER_KEY, MILLRACE_RENDER_KEY_FILE or a
prompt. Without a service, the job runs inside this command, which waits and downloads the file.

  millrace render job.json --plan
  millrace render job.json --wait
  echo '{"inputs":[{"url":"https://…/film.mp4","ext":"mp4"}],"output":{"ext":"mp3"},
         "operation":{"type":"extract_audio","copyStreams":false}}' | millrace render - --output sound.mp3`,
  async run(invocation: RenderInvocation) {
    const { values, terminal, signal } = invocation;
    const isLocal = serviceAddress(invocation) === undefined;
    if (values.output === standardOutput && terminal.outputIsTerminal) {
      throw new UsageError('The file cannot be written to a terminal. Use --output - with a pipe.');
    }
    const job = await readJob(invocation);
    const isStored = job.output.keep !== false;
    if (!isStored && values.output !== undefined) throw new UsageError(notStoredMessage);
    const output = values.output ?? (isLocal && isStored ? '' : undefined);
    const reporter = createReporter(terminal, values);
    const session = await openSession(invocation, 'render', {
      renders: true,
      webhooks: 'webhook' in job,
      onStart: () => reporter.step({ stage: 'starting' }),
    });
    const context = { session, reporter, signal };
    try {
      if (values.receipt === true) checkReceiptOption(output, session);
      if (values.plan === true) return await showPreview(job, context);
      if (output !== undefined) await fetchResult(invocation, job, output, context);
      else await startJob(job, values.wait === true || isLocal, context);
      return 0;
    } finally {
      reporter.close();
      await session.close();
    }
  },
});

/** Prints the preview of a job. Returns the exit code for failure if the preview contains problems. */
async function showPreview(job: NewJob, { session, reporter, signal }: RenderContext): Promise<number> {
  const preview = await session.client.renders.preview(job, { signal });
  await reporter.result(preview, previewText(preview));
  return preview.problems.length === 0 ? exitCodes.success.code : exitCodes.failure.code;
}

/** Runs a job and downloads its file. */
async function fetchResult(
  { values, terminal }: RenderInvocation,
  job: NewJob,
  output: string,
  context: RenderContext,
) {
  const { ext, downloadName } = job.output;
  const destination = await resolveDestination(output === '' ? undefined : output);
  const path = destination.pathOf({ title: downloadName ?? job.id ?? 'render', ext, count: 1 });
  const request = { choice: { label: ext, ext, start: job }, query: JSON.stringify(job), path };
  const { force = false, receipt = false } = values;
  if (receipt) await checkPath(receiptOf(path), force);
  const file = await fetchFile({ ...request, force, receipt }, context, terminal);
  context.reporter.say(`Saved ${sizeText(file.bytes)}${path === standardOutput ? '' : ' as'}`);
  if (path !== standardOutput) await context.reporter.result(file, `${path}\n`);
}

/** Starts a job. If `wait` is true, waits until the job finishes. */
async function startJob(job: NewJob, wait: boolean, { session, reporter, signal }: RenderContext): Promise<void> {
  await untilAborted(session.ready(), signal);
  const response = await session.client.renders.start(job, { signal });
  if (!wait) {
    reporter.say(`${response.message} To follow it: millrace watch ${response.jobId}`);
    await reporter.result(response, `${response.jobId}\n`);
    return;
  }
  const { output, delivery } = await followToEnd(session.client, response, reporter, signal);
  const result = { ...response, output, ...(delivery === undefined ? {} : { delivery }) };
  await reporter.result(result, output === null ? '' : `${output.url}\n`);
}

const notStoredMessage =
  'The file of this job is only delivered (output.keep is false), so it cannot be downloaded. Use --wait in place of --output.';

/** Reads the job. The service validates it. */
async function readJob({ positionals: [path = ''], terminal }: RenderInvocation): Promise<NewJob> {
  const source = path === standardOutput ? 'standard input' : path;
  const content = await (path === standardOutput ? text(terminal.input) : readFile(path, 'utf8')).catch((error) => {
    throw new UsageError(`The job cannot be read from ${source}.`, { cause: error });
  });
  const job = parseJson(content, source);
  if (typeof job !== 'object' || job === null || Array.isArray(job))
    throw new UsageError(`The content of ${source} is not a job. Example: ${jobExample}`);
  const { output } = job as { readonly output?: unknown };
  if (typeof output !== 'object' || output === null || !('ext' in output) || typeof output.ext !== 'string') {
    throw new UsageError(`The job in ${source} has no output.ext. Example: ${jobExample}`);
  }
  // The service validates the rest, and names every invalid member.
  return job as NewJob;
}

const jobExample =
  '{"inputs":[{"url":"https://…","ext":"mp4"}],"output":{"ext":"mp3"},"operation":{"type":"extract_audio"}}';

function parseJson(content: string, source: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError(`The content of ${source} is not valid JSON: ${message}`, { cause: error });
  }
}
