import { defineCommand } from '../command-line/command.ts';

/** `millrace serve`. */
export const serveCommand = defineCommand({
  name: 'serve',
  summary: 'Run the service until Ctrl-C.',
  usage: [''],
  arity: [0, 0],
  options: {},
  handlesSignals: true,
  details: `The service is configured by the environment or a .env file, as described in docs/reference/settings.md: PORT, DATA_DIR,
DATABASE_URL and so on. At the first start it creates keys and shows them once.

  PORT=8080 DATA_DIR=/var/lib/millrace millrace serve`,
  async run() {
    // `main.ts` is a separate program, which ends the process by itself.
    await import('../../main.ts');
    return undefined;
  },
});
