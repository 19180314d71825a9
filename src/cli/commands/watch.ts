import { type Call, defineCommand, type Options } from '../command.ts';
import { followRender } from '../follow-render.ts';
import { createReporter, reportOptions } from '../reporter.ts';
import { serviceOption } from '../service/options.ts';
import { openSession, serviceAddress } from '../service/session.ts';
import { UsageError } from '../usage-error.ts';

const options = { ...reportOptions, ...serviceOption } as const satisfies Options;

/** `millrace watch`. */
export const watchCommand = defineCommand({
  name: 'watch',
  summary: 'Show how a render goes, and print the link of its file.',
  forms: ['<job id|sseStatusUrl>'],
  words: [1, 1],
  options,
  details: `It needs no key. Ctrl-C ends the watching, not the render.

  millrace watch p1-0f1c… --service https://millrace.example
  millrace watch 'https://millrace.example/api/v1/render/status/sse/p1-0f1c…'`,
  async run(call: Call<typeof options>) {
    const { values, terminal, signal, positionals } = call;
    const service = serviceFor(positionals[0] ?? '', call);
    const reporter = createReporter(terminal, values);
    const session = await openSession({ ...call, values: { ...values, service } }, 'none');
    try {
      const output = await followRender(session.client, positionals[0] ?? '', reporter, signal);
      await reporter.result(output, `${output.url}\n`);
      return 0;
    } finally {
      reporter.close();
      await session.close();
    }
  },
});

/** The service that has the job: a link names it, an id does not. */
function serviceFor(job: string, call: Pick<Call<typeof options>, 'values' | 'environment'>): string {
  if (/^https?:\/\//i.test(job) && URL.canParse(job)) return new URL(job).origin;
  if (job.includes('/')) throw new UsageError('This is no id of a job. Of its links, the sseStatusUrl is meant.');
  const address = serviceAddress(call);
  if (address === undefined) throw new UsageError('Say which service has the job, with --service or MILLRACE_URL.');
  return address;
}
