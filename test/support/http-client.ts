import { randomUUID } from 'node:crypto';
import { contractOf } from './contract.ts';
import { keys } from './processes.ts';

/** Both only end what hangs. */
const FOLLOW_TIMEOUT_MS = 540_000;
const FETCH_TIMEOUT_MS = 240_000;

/** A status event as received. */
export interface StatusEvent {
  readonly job_id?: string;
  readonly id?: string;
  readonly status: string;
  readonly progress: number;
  readonly output: {
    readonly url: string;
    readonly size: number;
    readonly sizeText: string;
    readonly sha256: string | null;
    readonly key: string;
    readonly receipt: string | null;
    readonly notes: readonly { readonly code: string; readonly message: string; readonly input?: number }[];
  } | null;
  readonly delivery?: {
    readonly status: string;
    readonly code: string | null;
    readonly message: string | null;
  };
  readonly error: string | null;
  readonly error_code: string | null;
  readonly retryable: boolean | null;
  readonly input: number | null;
  readonly request_id: string | null;
  readonly created_at: string;
  readonly expires_at: string;
}

/** The response of a start call. */
export interface StartedJob {
  readonly jobId: string;
  readonly status: string;
  readonly message: string;
  readonly statusUrl: string;
  readonly sseStatusUrl: string;
}

/** A response with its JSON body. */
export interface JsonResponse<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/**
 * Sends a request and reads JSON.
 * @throws If the service's own document does not allow the response.
 */
export async function fetchJson<Body>(url: string, init: RequestInit = {}): Promise<JsonResponse<Body>> {
  const { status, headers, text } = await fetchText(url, init);
  const body = parseJson(text, `${url} returned ${status}`);
  const contract = await contractOf(new URL(url).origin);
  contract?.check({ method: init.method ?? 'GET', url, status, contentType: headers.get('content-type'), body });
  return { status, headers, body: body as Body };
}

async function fetchText(url: string, init: RequestInit) {
  const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS), ...init });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

function parseJson(text: string, from: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${from} with a body that is not JSON: ${text.slice(0, 300)}`, { cause: error });
  }
}

/** Posts JSON with a render key. */
export function post<Body>(
  url: string,
  body: unknown,
  key: string | undefined = keys.render,
  headers: Readonly<Record<string, string>> = {},
): Promise<JsonResponse<Body>> {
  return fetchJson<Body>(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** Sends a request to the extraction API with a key. */
export function extract<Body>(url: string, key: string = keys.MEGA): Promise<JsonResponse<Body>> {
  return fetchJson<Body>(url, { headers: { 'x-marketplace-key': key, 'x-marketplace-host': 'api.example' } });
}

/** Returns a job description with a new ID. */
export function describeJob(
  type: string,
  inputs: readonly ({ url: string; ext: string } & Record<string, unknown>)[],
  ext: string,
  more: Record<string, unknown> = {},
) {
  return {
    id: `job-${randomUUID()}`,
    inputs,
    output: { ext },
    operation: { type },
    ...more,
  };
}

/** Reads a status stream to its end. */
export async function follow(
  sseUrl: string,
  onEvent: (event: StatusEvent) => void = () => undefined,
): Promise<StatusEvent[]> {
  const contract = await contractOf(new URL(sseUrl).origin);
  const response = await fetch(sseUrl, { signal: AbortSignal.timeout(FOLLOW_TIMEOUT_MS) });
  if (!response.ok || response.body === null) throw new Error(`${sseUrl} returned ${response.status}`);
  const as = { method: 'GET', url: sseUrl, status: response.status, contentType: response.headers.get('content-type') };
  const events: StatusEvent[] = [];
  for await (const event of eventsOf(response.body)) {
    contract?.check({ ...as, body: event });
    events.push(event);
    onEvent(event);
  }
  return events;
}

/** Yields the events of a status stream's body, as they arrive. */
export async function* eventsOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<StatusEvent> {
  let text = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const [, data] = /^data: (.*)$/m.exec(text.slice(0, end)) ?? [];
      text = text.slice(end + 2);
      // Some lines are only for the client (retry).
      if (data !== undefined) yield JSON.parse(data) as StatusEvent;
    }
  }
}

/** Returns the last event of a job. */
export async function outcome(sseUrl: string): Promise<StatusEvent> {
  const last = (await follow(sseUrl)).at(-1);
  if (last === undefined) throw new Error(`${sseUrl} ended without an event`);
  return last;
}

/** Starts a job that must be accepted, and waits for its end. */
export async function run(serviceUrl: string, job: unknown): Promise<StatusEvent> {
  const started = await post<StartedJob>(`${serviceUrl}/api/v1/render/execute`, job);
  if (started.status !== 202) throw new Error(`the job was not accepted: ${JSON.stringify(started.body)}`);
  return outcome(started.body.sseStatusUrl);
}

/** Starts a job that must succeed, and downloads its file. */
export async function render(serviceUrl: string, job: unknown): Promise<{ event: StatusEvent; file: Buffer }> {
  const event = await run(serviceUrl, job);
  if (event.output === null) throw new Error(`the job ended as ${event.status}: ${event.error}`);
  const response = await fetch(event.output.url);
  if (!response.ok) throw new Error(`${event.output.url} returned ${response.status}`);
  return { event, file: Buffer.from(await response.arrayBuffer()) };
}
