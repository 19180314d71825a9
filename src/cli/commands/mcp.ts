import { readPackageManifest } from '../../files/package-manifest.ts';
import { defineCommand, type Invocation } from '../command-line/command.ts';
import { serviceOptions } from '../service/options.ts';
import { openSession } from '../service/session.ts';

/** `millrace mcp`. */
export const mcpCommand = defineCommand({
  name: 'mcp',
  summary: 'Give an AI assistant tools that read links and render files.',
  usage: [''],
  arity: [0, 0],
  options: serviceOptions,
  details: `AI assistants start this command. It speaks the Model Context Protocol on standard input and output, until
the input ends. Its tools read links, search, return transcripts and render files. Without a service, Millrace
runs inside this command, and the links to files work until it ends.

  MILLRACE_URL=https://millrace.example MILLRACE_KEY_FILE=~/.config/millrace/key millrace mcp`,
  async run(invocation: Invocation<typeof serviceOptions>) {
    const { terminal, signal } = invocation;
    const session = await openSession(invocation, 'extraction', { renders: true });
    try {
      const [{ serveOverStdio }, { version }] = await Promise.all([
        import('../../mcp/serve-stdio.ts'),
        readPackageManifest(),
      ]);
      const { client, canRender: canStartJobs, ready } = session;
      await serveOverStdio({
        service: { client, canStartJobs, ready },
        version,
        input: terminal.input,
        signal,
        say: (text) => terminal.say(text),
      });
      return 0;
    } finally {
      await session.close();
    }
  },
});
