import { type Contract, type Document, openContract, type Schema } from '../contract.ts';
import { fetchJson } from '../http-client.ts';
import { extractionHeaders } from '../mcp-client.ts';

/** A tool, as the endpoint lists it. */
interface ListedTool {
  readonly name: string;
  readonly inputSchema: Schema;
}

const path = '/mcp';
const accepted = 'application/json, text/event-stream';

/** Methods without arguments, also those of other versions of the protocol, and of clients. */
const otherMethods = [
  'initialize',
  'ping',
  'tools/list',
  'server/discover',
  'subscriptions/listen',
  'logging/setLevel',
  'resources/list',
  'notifications/initialized',
  'notifications/cancelled',
  'sampling/createMessage',
];

/** A response, and a notification in a stream of events (JSON-RPC 2.0, §5). */
const message = {
  type: 'object',
  required: ['jsonrpc'],
  anyOf: [{ required: ['id', 'result'] }, { required: ['id', 'error'] }, { required: ['method'] }],
};
const failure = { type: 'object', required: ['error'] };

/**
 * Returns the contract of a service together with that of its MCP endpoint, which no OpenAPI document describes. The
 * endpoint itself lists its tools with the schemas of their arguments.
 */
export async function contractWithMcp(origin: string): Promise<Contract> {
  const { body: document } = await fetchJson<Document>(`${origin}/openapi`);
  const tools = await listTools(origin);
  const json = { 'application/json': { schema: failure } };
  const operation = {
    requestBody: { content: { 'application/json': { schema: schemaOf(tools), example: exampleCall } } },
    responses: {
      200: { content: { 'application/json': { schema: message }, 'text/event-stream': { schema: message } } },
      202: {},
      ...Object.fromEntries([400, 401, 403, 404, 406, 413, 414, 415, 431].map((status) => [status, { content: json }])),
    },
  };
  return openContract({ ...document, paths: { ...document.paths, [path]: { post: operation } } });
}

const exampleCall = {
  jsonrpc: '2.0',
  id: 'first',
  method: 'tools/call',
  params: { name: 'get_details', arguments: { link: 'https://www.youtube.com/watch?v=lab-plain30' } },
};

async function listTools(origin: string): Promise<readonly ListedTool[]> {
  const response = await fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { ...extractionHeaders, 'content-type': 'application/json', accept: accepted },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    signal: AbortSignal.timeout(60_000),
  });
  const [, data = ''] = /^data: (.*)$/m.exec(await response.text()) ?? [];
  return (JSON.parse(data) as { result: { tools: readonly ListedTool[] } }).result.tools;
}

/** Returns the schema of all messages that call a tool, or a method without arguments. */
function schemaOf(tools: readonly ListedTool[]): Schema {
  const calls = tools.map(({ name, inputSchema }) =>
    messageOf(
      ['tools/call'],
      objectOf({ name: { type: 'string', enum: [name] }, arguments: withoutWait(inputSchema) }),
    ),
  );
  return { anyOf: [...calls, messageOf(otherMethods, { type: 'object' })] };
}

function messageOf(methods: readonly string[], params: Schema): Schema {
  const version = { type: 'string', enum: ['2.0'] };
  return objectOf({ jsonrpc: version, id: { type: 'string' }, method: { type: 'string', enum: methods }, params });
}

function objectOf(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', properties, required: Object.keys(properties) };
}

/** A tool that waits for a job would hold up the run, so its call always states how long. */
function withoutWait(schema: Schema): Schema {
  const { properties = {}, required = [] } = schema;
  return 'waitSeconds' in properties ? { ...schema, required: [...required, 'waitSeconds'] } : schema;
}
