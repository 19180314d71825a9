import { type ApiDocument, methods, type Operation, type Parameter } from '../src/openapi/document-types.ts';
import { createDocuments } from '../src/openapi/documents.ts';
import { createPlatforms, defaultSettings } from '../src/platforms/index.ts';

/** Path of the collection below the root. */
export const collectionPath = 'docs/collection/millrace.postman_collection.json';

const DESCRIPTION = `Requests of Millrace's API, with examples that work with the demo service (npm run demo -- --stay).

Set the variables of the collection first: baseUrl, apiKey, and renderKey for your own jobs. If the service is behind a
marketplace, apiHost is the host that the marketplace displays.

Each response sets the variables that the next request needs. To render a file, send these requests in this order: the
details of an item, "Start the job of a render config", "Get the status of a job" until it is done, and "Download a
finished file".`;

/** Variables of the collection, and their values for the demo service. Responses set those without a value. */
const variables = {
  baseUrl: 'http://127.0.0.1:8080',
  apiKey: 'demo-key',
  apiHost: 'localhost',
  renderKey: 'demo-render-key',
  executionUrl: '',
  jobId: '',
  cacheId: '',
  fileUrl: '',
  receiptUrl: '',
  relayUrl: '',
  webhookId: '',
  deliveryId: '',
};

/** Sets the variables that later requests need, after each response. */
const script = `if (/json/.test(pm.response.headers.get('Content-Type') || '')) {
  const body = pm.response.json();
  const contents = body.contents || [];
  const find = (list, test) => contents.flatMap((content) => content[list] || []).find(test) || {};
  const { renderConfig = {} } = find('renderableVideos', (item) => item.renderConfig);
  const values = {
    executionUrl: body.executionUrl || renderConfig.executionUrl,
    jobId: body.jobId,
    cacheId: body.cacheId,
    fileUrl: body.output && body.output.url,
    receiptUrl: body.output && body.output.receipt,
    relayUrl: find('videos', ({ url }) => url.includes('/relay/')).url,
    webhookId: body.secret && body.id,
    deliveryId: body.deliveries && body.deliveries[0] && body.deliveries[0].id,
  };
  for (const name of Object.keys(values)) if (values[name]) pm.collectionVariables.set(name, values[name]);
}`;

/** Operations whose whole URL is in a response, and the variable that contains it. */
const linkedOperations: Readonly<Record<string, keyof typeof variables>> = {
  startSealedJob: 'executionUrl',
  cancelSealedJob: 'executionUrl',
  downloadFile: 'fileUrl',
  downloadReceipt: 'receiptUrl',
  relayMedia: 'relayUrl',
};

/** Optional parameters that are sent, because later requests need what they add to the response. */
const sentParameters = new Set(['renderableFormats']);

/** Returns the API as a collection for Postman, which Bruno and Insomnia can import, too. */
export function collection(): string {
  const { baseUrl: base } = variables;
  const { combined } = createDocuments(createPlatforms(defaultSettings), { base, api: base, render: base }, '');
  const requests = requestsOf(combined);
  const value = {
    info: {
      name: 'Millrace',
      description: DESCRIPTION,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'apikey', apikey: members({ key: 'X-Marketplace-Key', value: '{{apiKey}}', in: 'header' }) },
    variable: members(variables),
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: script.split('\n') } }],
    item: combined.tags.map(({ name, 'x-displayName': shownName, description }) => ({
      name: shownName ?? name,
      description,
      item: requests.filter(({ tags }) => tags.includes(name)).map(({ request }) => request),
    })),
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Returns the requests of a document with their tags. Collections have no place for those over WebSocket. */
function requestsOf({ paths }: ApiDocument) {
  return Object.entries(paths).flatMap(([path, operations]) =>
    methods.flatMap((method) => {
      const operation = operations[method];
      if (operation === undefined || operation.servers?.some(({ url }) => url.startsWith('ws'))) return [];
      return [{ tags: operation.tags, request: requestOf(path, method, operation) }];
    }),
  );
}

function requestOf(path: string, method: string, operation: Operation): object {
  const { operationId, summary, description, parameters = [], requestBody } = operation;
  const linked = linkedOperations[operationId];
  const body = requestBody?.content['application/json'].example;
  return {
    name: summary,
    request: {
      method: method.toUpperCase(),
      description,
      ...credentialsOf(operation),
      url: linked === undefined ? urlOf(path, parameters) : { raw: `{{${linked}}}`, host: [`{{${linked}}}`] },
      ...(body === undefined
        ? {}
        : { body: { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } } }),
    },
  };
}

/** Returns the credentials and headers of a request. Those of the extraction API are the collection's own. */
function credentialsOf({ security }: Operation): object {
  if (security.some((set) => 'marketplaceKey' in set))
    return { header: [{ key: 'X-Marketplace-Host', value: '{{apiHost}}' }] };
  if (security.length === 0) return { auth: { type: 'noauth' } };
  return { auth: { type: 'bearer', bearer: members({ token: '{{renderKey}}' }) } };
}

/** Returns a URL with its required parameters. The others are listed, but not sent. */
function urlOf(path: string, parameters: readonly Parameter[]): object {
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => ({
      key: parameter.name,
      value: exampleOf(parameter),
      description: parameter.description,
      disabled: !parameter.required && !sentParameters.has(parameter.name),
    }));
  const filledPath = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    name in variables ? `{{${name}}}` : exampleOf(parameters.find((parameter) => parameter.name === name)),
  );
  const sent = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`);
  return {
    raw: `{{baseUrl}}${filledPath}${sent.length === 0 ? '' : `?${sent.join('&')}`}`,
    host: ['{{baseUrl}}'],
    path: filledPath.slice(1).split('/'),
    ...(query.length === 0 ? {} : { query }),
  };
}

const exampleOf = (parameter: Parameter | undefined) => String(parameter?.example ?? '');

const members = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([key, value]) => ({ key, value, type: 'string' }));
