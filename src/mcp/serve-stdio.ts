import { once } from 'node:events';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createPlatforms, defaultSettings } from '../platforms/index.ts';
import { createMcpServer } from './create-mcp-server.ts';
import { createTools } from './create-tools.ts';
import type { ToolService } from './tool.ts';
import { isUnexpected } from './tool-error.ts';

/** A connection over standard input and output. */
interface StdioConnection {
  readonly service: ToolService;
  /** Version of the software. */
  readonly version: string;
  readonly input: NodeJS.ReadableStream;
  /** Ends the connection. */
  readonly signal: AbortSignal;
  /** Prints a line for people. Standard output belongs to the protocol. */
  say(text: string): void;
}

/** Serves MCP over standard input and output, until the input ends or the signal aborts. */
export async function serveOverStdio({ service, version, input, signal, say }: StdioConnection): Promise<void> {
  const tools = createTools(createPlatforms(defaultSettings));
  const onError = (error: unknown, tool: string) => {
    if (isUnexpected(error)) say(`The tool ${tool} failed: ${error instanceof Error ? error.stack : String(error)}`);
  };
  const ended = once(input, 'end', { signal }).catch(() => undefined);
  const connection = serveStdio(() => createMcpServer({ tools, service, version, signal, onError }), {
    maxSubscriptions: 0,
    onerror: (error) => say(error.message),
  });
  await ended;
  await connection.close();
}
