import type { ApiDocument, Operation, Parameter } from '../document-types.ts';

/** Request headers by the security scheme that requires them. */
const headers: Readonly<Record<string, string>> = {
  marketplaceKey: 'X-Marketplace-Key: $MILLRACE_KEY',
  marketplaceHost: 'X-Marketplace-Host: $MILLRACE_HOST',
  renderKey: 'Authorization: Bearer $RENDER_KEY',
};

/** Returns a shell command that calls an operation with its examples, or the address of a WebSocket. */
export function exampleOf(document: ApiDocument, path: string, method: string, operation: Operation): string {
  const { parameters = [], security, servers = document.servers, requestBody } = operation;
  const requiredParameters = parameters.filter((parameter) => parameter.required);
  const requestPath = requiredParameters.reduce(
    (text, each) => text.replace(`{${each.name}}`, exampleValue(each)),
    path,
  );
  const query = requiredParameters
    .filter((each) => each.in === 'query')
    .map((each) => `${each.name}=${exampleValue(each)}`);
  const address = `${servers[0]?.url ?? ''}${requestPath}${query.length === 0 ? '' : `?${query.join('&')}`}`;
  if (/^wss?:/.test(address)) return address;
  const body: unknown = requestBody?.content['application/json'].example;
  const words = [
    method !== 'get' ? `curl -X ${method.toUpperCase()}` : path.includes('/sse/') ? 'curl -N' : 'curl',
    ...security.flatMap((scheme) => Object.keys(scheme)).map((name) => `-H "${headers[name]}"`),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${shellQuote(JSON.stringify(body, null, 2))}`]),
    shellQuote(address),
  ];
  return words.length <= 2 ? words.join(' ') : words.join(' \\\n  ');
}

/** Returns the value of a required parameter: its example, or its name if only the service can provide a value. */
function exampleValue({ name, example }: Parameter): string {
  return example === undefined ? name.toUpperCase() : encodeURIComponent(String(example));
}

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
