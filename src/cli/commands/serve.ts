import { defineCommand } from '../command-line/command.ts';

/** `millrace serve`. */
export const serveCommand = defineCommand({
  name: 'serve',
  summary: 'Start the service here, until Ctrl-C.',
  usage: [''],
  arity: [0, 0],
  options: {},
  handlesSignals: true,
  details: `It is set up by the environment or a .env file, as docs/settings.md says: PORT, DATA_DIR, DATABASE_URL and so on. At
the first start it makes keys and shows them once.

  PORT=8080 DATA_DIR=/var/lib/millrace millrace serve`,
  async run() {
    // It is a program of its own, which ends the process by itself.
    await import('../../main.ts');
    return undefined;
  },
});
