import { McpServer, ProtocolError, ProtocolErrorCode, type ServerContext } from '@modelcontextprotocol/server';
import type { TObject } from 'typebox';
import { isObject } from '#client/http/error-response.ts';
import { type CallableTool, callTool } from './call-tool.ts';
import type { ToolContext, ToolService } from './tool.ts';
import { untrustedTextNote } from './untrusted-text.ts';

/** Parts of a server. */
interface McpServerParts {
  readonly tools: readonly CallableTool[];
  readonly service: ToolService;
  /** Version of the software. */
  readonly version: string;
  /** Aborts all calls. */
  readonly signal: AbortSignal;
  /** Receives what a tool has thrown. */
  onError(error: unknown, tool: string): void;
}

const instructions =
  'Millrace reads public media of video and social platforms, and makes files from it. Begin with get_details or search, ' +
  `then call render. ${untrustedTextNote}`;

/**
 * Creates a server for one connection or request. The handlers are set directly, because the tools state their schemas
 * as JSON and report errors of the catalogue for wrong arguments.
 */
export function createMcpServer({ tools, service, version, signal, onError }: McpServerParts): McpServer {
  const shown = tools.filter(({ startsJobs }) => startsJobs !== true || service.canStartJobs);
  const mcp = new McpServer(
    { name: 'millrace', title: 'Millrace', version },
    { capabilities: { tools: { listChanged: false } }, instructions },
  );
  mcp.server.setRequestHandler('tools/list', () => ({ tools: shown.map(describeTool) }));
  mcp.server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const tool = shown.find(({ name }) => name === params.name);
    if (tool === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no tool with this name.');
    return await callTool(tool, {
      args: params.arguments ?? {},
      context: { ...service, report: createProgressReporter(mcpReq) },
      signals: [signal, mcpReq.signal],
      onError: (error) => onError(error, tool.name),
    });
  });
  return mcp;
}

function describeTool({ name, title, description, input, output, readOnly }: CallableTool) {
  return {
    name,
    title,
    description,
    inputSchema: jsonOf(input),
    outputSchema: jsonOf(output),
    annotations: {
      title,
      readOnlyHint: readOnly,
      destructiveHint: false,
      idempotentHint: readOnly,
      openWorldHint: true,
    },
  };
}

/** Returns a schema as plain JSON. All enums of the contract contain strings; some clients need the type. */
function jsonOf(schema: TObject): { readonly type: 'object' } {
  const text = JSON.stringify(schema, (_, value: unknown) =>
    isObject(value) && Array.isArray(value.enum) ? { type: 'string', ...value } : value,
  );
  // The cast is safe: these are the schemas of objects.
  return JSON.parse(text) as { readonly type: 'object' };
}

/** Reports progress as notifications, if the caller has sent a token for them. They must increase. */
function createProgressReporter({ _meta, notify }: ServerContext['mcpReq']): ToolContext['report'] {
  const progressToken = _meta?.progressToken;
  let last = -1;
  return async (progress, message) => {
    if (progressToken === undefined || progress <= last) return;
    last = progress;
    await notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100, message } });
  };
}
