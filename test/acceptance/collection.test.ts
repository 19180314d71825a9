// Sends the requests of the collection as Postman would, with the service under test as `baseUrl`.
import { readFile } from 'node:fs/promises';
import { runInNewContext } from 'node:vm';
import { expect, inject, test } from 'vitest';
import { keys } from '../support/processes.ts';

interface Member {
  readonly key: string;
  readonly value: string;
}

interface CollectionRequest {
  readonly method: string;
  readonly url: { readonly raw: string };
  readonly header?: readonly Member[];
  readonly auth?: { readonly type: string; readonly bearer?: readonly Member[] };
  readonly body?: { readonly raw: string };
}

interface Collection {
  readonly auth: { readonly apikey: readonly Member[] };
  readonly variable: readonly Member[];
  readonly event: readonly { readonly script: { readonly exec: readonly string[] } }[];
  readonly item: readonly {
    readonly name: string;
    readonly item: readonly { readonly name: string; readonly request: CollectionRequest }[];
  }[];
}

const file = new URL('../../docs/collection/millrace.postman_collection.json', import.meta.url);
const collection = JSON.parse(await readFile(file, 'utf8')) as Collection;
const requests = collection.item.flatMap(({ item }) => item);
const script = collection.event[0]?.script.exec.join('\n') ?? '';
const keyName = collection.auth.apikey.find(({ key }) => key === 'key')?.value ?? '';

/** Returns the variables that a user sets. */
function newVariables(): Map<string, string> {
  const own = { baseUrl: inject('serviceUrl'), apiKey: keys.MEGA, renderKey: keys.render };
  return new Map([...collection.variable.map(({ key, value }) => [key, value] as const), ...Object.entries(own)]);
}

/** Sends a request, and runs the script of the collection on its response. */
async function send({ method, url, header = [], auth, body }: CollectionRequest, variables: Map<string, string>) {
  const fill = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => variables.get(name) ?? '');
  const headers = new Headers(header.map(({ key, value }) => [key, fill(value)]));
  if (auth === undefined) headers.set(keyName, fill('{{apiKey}}'));
  if (auth?.type === 'bearer') headers.set('authorization', fill(`Bearer ${auth.bearer?.[0]?.value}`));
  if (body !== undefined) headers.set('content-type', 'application/json');
  const response = await fetch(fill(url.raw), {
    method,
    headers,
    ...(body === undefined ? {} : { body: body.raw }),
    signal: AbortSignal.timeout(240_000),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const json = () => JSON.parse(bytes.toString());
  const set = (name: string, value: string) => variables.set(name, value);
  runInNewContext(script, { pm: { response: { headers: response.headers, json }, collectionVariables: { set } } });
  return { status: response.status, headers: response.headers, bytes, json };
}

function requestNamed(name: string): CollectionRequest {
  const found = requests.find((item) => item.name === name);
  if (found === undefined) throw new Error(`the collection has no request "${name}"`);
  return found.request;
}

test('the examples of all extraction requests succeed', async () => {
  const extractions = requests.filter(({ request }) => /^\{\{baseUrl\}\}\/p\d\//.test(request.url.raw));
  expect(extractions.length).toBeGreaterThan(30);
  const outcomes = await Promise.all(
    extractions.map(async ({ request }) => {
      const { status, json } = await send(request, newVariables());
      return { url: request.url.raw, status, error: json().error };
    }),
  );
  expect(outcomes).toEqual(extractions.map(({ request }) => ({ url: request.url.raw, status: 200, error: null })));
});

test('all other requests that need no job succeed', async () => {
  const others = requests.filter(
    ({ request: { method, url } }) => method === 'GET' && /^\{\{baseUrl\}\}(?!\/p\d\/)[^{]*$/.test(url.raw),
  );
  expect(others.length).toBeGreaterThan(10);
  for (const { name, request } of others) {
    // The health of a busy service can be bad for a moment.
    await expect.poll(async () => (await send(request, newVariables())).status, { message: name }).toBe(200);
  }
});

test('each response sets the variables that the next request of a render needs', async () => {
  const variables = newVariables();
  await send(requestNamed('Media, metadata and transcript of a video'), variables);
  expect((await send(requestNamed('Start the job of a render config'), variables)).json().status).toBe('queued');
  await expect
    .poll(async () => (await send(requestNamed('Get the status of a job'), variables)).json().status)
    .toBe('done');
  const download = await send(requestNamed('Download a finished file'), variables);
  expect([download.status, download.headers.get('content-type')]).toEqual([200, 'video/mp4']);
  expect((await send(requestNamed('Download the receipt of a finished file'), variables)).status).toBe(200);
});

test('a job of your own can be started, stored and cancelled', async () => {
  const variables = newVariables();
  for (const name of ['Start a job', 'Store a job description', 'Start a stored job', 'Cancel a stored job']) {
    const { status, bytes } = await send(requestNamed(name), variables);
    expect([200, 201, 202], `${name}: ${bytes}`).toContain(status);
  }
});
