import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../../files/package-files.ts';
import { defineCommand, type Invocation, type Options } from '../command-line/command.ts';

const options = {
  port: {
    type: 'string',
    short: 'p',
    value: '<number>',
    description: 'Port to listen on; 0 selects a free one; default 9000.',
  },
} as const satisfies Options;

/** `millrace lab`. */
export const labCommand = defineCommand({
  name: 'lab',
  summary: 'Start the lab, an offline simulation of the supported platforms.',
  usage: [''],
  arity: [0, 0],
  options,
  handlesSignals: true,
  details: `Point a service or a command at the lab, and nothing leaves this machine:

  millrace lab &
  EGRESS_CONNECT_TO='*=http://127.0.0.1:9000' millrace get lab-plain30`,
  async run({ values, environment }: Invocation<typeof options>) {
    const program = fileURLToPath(packageFile('dist/lab/main.js'));
    const env = values.port === undefined ? environment : { ...environment, LAB_PORT: values.port };
    const child = spawn(process.execPath, [program], { stdio: 'inherit', env });
    const exit = Promise.withResolvers<number>();
    child.once('error', exit.reject);
    child.once('exit', (code) => exit.resolve(code ?? 1));
    // A terminal sends Ctrl-C to the whole process group, so the lab receives it too. The lab would treat a second
    // signal as a forced exit.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill('SIGTERM'));
    return await exit.promise;
  },
});
