import { defineCommand, type Invocation, type Options } from '../command-line/command.ts';
import { followToEnd } from '../reporting/follow-render.ts';
import { createReporter, reportOptions } from '../reporting/reporter.ts';
import { serviceOfJob } from '../service/job-service.ts';
import { serviceOption } from '../service/options.ts';
import { openSession } from '../service/session.ts';

const options = { ...reportOptions, ...serviceOption } as const satisfies Options;

/** `millrace watch`. */
export const watchCommand = defineCommand({
  name: 'watch',
  summary: 'Follow the progress of a render, and print the download link to its file.',
  usage: ['<job id|sseStatusUrl>'],
  arity: [1, 1],
  options,
  details: `This command needs no key. Ctrl-C stops watching but does not cancel the render: use "millrace cancel" for that.

  millrace watch p1-0f1c… --service https://millrace.example
  millrace watch 'https://millrace.example/api/v1/render/status/sse/p1-0f1c…'`,
  async run(invocation: Invocation<typeof options>) {
    const { values, terminal, signal, positionals } = invocation;
    const service = serviceOfJob(positionals[0] ?? '', invocation, 'sseStatusUrl');
    const reporter = createReporter(terminal, values);
    const session = await openSession({ ...invocation, values: { ...values, service } }, 'none');
    try {
      const { output, delivery = {} } = await followToEnd(session.client, positionals[0] ?? '', reporter, signal);
      await reporter.result(output ?? delivery, output === null ? '' : `${output.url}\n`);
      return 0;
    } finally {
      reporter.close();
      await session.close();
    }
  },
});
