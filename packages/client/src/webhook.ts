import type { RenderStatusEvent } from '../../../src/contract/status.ts';
import { MillraceWebhookError } from './errors.ts';

/** A request that came to a webhook. */
export interface ReceivedWebhook {
  /** Those of a Request, or of Node's IncomingMessage. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** As it came: parsed and written anew it would not be what was signed. */
  readonly body: string | Uint8Array<ArrayBuffer>;
}

/** How a webhook is verified. */
export interface VerifyOptions {
  /** Seconds that the sender's clock and the way may differ from this one; 300. */
  readonly tolerance?: number | undefined;
  /** Milliseconds since 1970, in place of the clock. */
  readonly now?: number | undefined;
}

/** An event that the service really sent. */
export interface VerifiedWebhook {
  /** The same each time this event comes: whoever has seen it need not do anything again. */
  readonly id: string;
  /** The last event of the render. */
  readonly event: RenderStatusEvent;
}

const DEFAULT_TOLERANCE = 300;
/** Of a header that names several. */
const MOST_SIGNATURES = 10;
const encodedSecret = 'whsec_';

/**
 * Makes sure that a webhook comes from a service that knows the secret, and now: by HMAC-SHA-256 over its id, its time
 * and its body, as Standard Webhooks has it. Runs wherever there is WebCrypto.
 *
 * @throws MillraceWebhookError for what is incomplete, forged, or too old.
 */
export async function verifyWebhook(
  { headers, body }: ReceivedWebhook,
  secret: string,
  { tolerance = DEFAULT_TOLERANCE, now = Date.now() }: VerifyOptions = {},
): Promise<VerifiedWebhook> {
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const signatures = header(headers, 'webhook-signature');
  if (id === undefined || timestamp === undefined || signatures === undefined) {
    throw new MillraceWebhookError('incomplete', 'The request lacks a webhook-id, -timestamp or -signature header.');
  }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  if (!(await isSigned(signed, signatures, secret))) {
    throw new MillraceWebhookError('forged', 'The signature of the webhook is not that of this secret.');
  }
  // Only now: what the time says is worth nothing before.
  if (!(Math.abs(now / 1_000 - Number(timestamp)) <= tolerance)) {
    throw new MillraceWebhookError('stale', `The webhook is older than ${tolerance} s, or the clocks differ.`);
  }
  // The service has signed it.
  return { id, event: JSON.parse(new TextDecoder().decode(bytes)) as RenderStatusEvent };
}

async function isSigned(signed: Uint8Array<ArrayBuffer>, signatures: string, secret: string): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', keyOf(secret), algorithm, false, ['verify']);
  for (const signature of signatures.split(' ', MOST_SIGNATURES)) {
    const bytes = signature.startsWith('v1,') ? fromBase64(signature.slice(3)) : undefined;
    if (bytes !== undefined && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return true;
  }
  return false;
}

/** @throws TypeError for a secret that no service took. */
function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  if (!secret.startsWith(encodedSecret)) return new TextEncoder().encode(secret);
  const key = fromBase64(secret.slice(encodedSecret.length));
  if (key === undefined) throw new TypeError(`The secret is not base64 after ${encodedSecret}.`);
  return key;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    // It is none, whatever else it is.
    return undefined;
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function header(headers: ReceivedWebhook['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const [, value] = Object.entries(headers).find(([each]) => each.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : value?.[0];
}
