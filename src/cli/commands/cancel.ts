import { defineCommand, type Invocation, type Options } from '../command-line/command.ts';
import { CommandError } from '../errors/command-errors.ts';
import { createReporter, reportOptions } from '../reporting/reporter.ts';
import { isLink, serviceOfJob } from '../service/job-service.ts';
import { keyFileOption, serviceOption } from '../service/options.ts';
import { openSession } from '../service/session.ts';

const options = {
  json: reportOptions.json,
  quiet: reportOptions.quiet,
  ...serviceOption,
  ...keyFileOption,
} as const satisfies Options;

/** `millrace cancel`. */
export const cancelCommand = defineCommand({
  name: 'cancel',
  summary: 'Cancel an unfinished render.',
  usage: ['<job id|executionUrl>'],
  arity: [1, 1],
  options,
  details: `Pass the job's ID, with the render key that started it: from --key-file, MILLRACE_RENDER_KEY, MILLRACE_RENDER_KEY_FILE
or a prompt. Or pass its execution URL, which needs no key. Cancelling removes everything that the render has produced.
A render that has already finished is left unchanged, and the command exits with 1.

  millrace cancel job-0123456789abcdef0123456789abcdef --service https://millrace.example`,
  async run(invocation: Invocation<typeof options>) {
    const { values, terminal, signal, positionals } = invocation;
    const [job = ''] = positionals;
    const service = serviceOfJob(job, invocation, 'executionUrl');
    const reporter = createReporter(terminal, values);
    const session = await openSession(
      { ...invocation, values: { ...values, service } },
      isLink(job) ? 'none' : 'render',
    );
    try {
      const response = await session.client.renders.cancel(job, { signal });
      if (response.status !== 'cancelled') throw new CommandError(response.message);
      reporter.say(response.message);
      await reporter.result(response, `${response.jobId}\n`);
      return 0;
    } finally {
      reporter.close();
      await session.close();
    }
  },
});
