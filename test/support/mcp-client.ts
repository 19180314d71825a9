import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { program } from './command-line.ts';
import { environmentOf } from './environment.ts';
import { keys } from './processes.ts';

/** Result of a tool call. */
export interface ToolOutcome {
  readonly isError: boolean;
  readonly value: Readonly<Record<string, unknown>>;
  /** The texts of its content. */
  readonly text: string;
}

/** A connection of the SDK's own client. */
export interface McpConnection {
  readonly client: Client;
  /** Calls a tool. The client checks the result against the output schema of the tool. */
  call(tool: string, args: Record<string, unknown>, options?: CallOptions): Promise<ToolOutcome>;
  close(): Promise<void>;
}

type CallOptions = Parameters<Client['callTool']>[1];

/** A call may start a service. */
const patient = { timeout: 540_000 };

/** The versions of the protocol: with a handshake, and with a description of the client in each request. */
type Era = 'legacy' | 'auto';

/** Headers of a key of the extraction API. */
export const extractionHeaders = { 'x-marketplace-key': keys.MEGA, 'x-marketplace-host': 'api.example' };

/** Connects to the endpoint of a service. */
export async function connectOverHttp(
  serviceUrl: string,
  headers: Readonly<Record<string, string>>,
  mode: Era = 'auto',
): Promise<McpConnection> {
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', serviceUrl), { requestInit: { headers } });
  return await connect(transport, mode);
}

/** Starts `millrace mcp` with this environment, and connects to it. */
export async function connectOverStdio(
  cwd: string,
  env: Readonly<Record<string, string>>,
  mode: Era = 'auto',
): Promise<McpConnection> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp'],
    cwd,
    // The environment has no undefined members.
    env: environmentOf(env) as Record<string, string>,
    stderr: 'inherit',
  });
  return await connect(transport, mode);
}

async function connect(transport: Parameters<Client['connect']>[0], mode: Era): Promise<McpConnection> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport, patient);
  return {
    client,
    async call(name, args, options) {
      const {
        isError = false,
        structuredContent,
        content,
      } = await client.callTool({ name, arguments: args }, { ...patient, ...options });
      const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
      return { isError, value: structuredContent as ToolOutcome['value'], text };
    },
    close: () => client.close(),
  };
}
