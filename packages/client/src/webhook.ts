import type { RenderStatusEvent } from '../../../src/contract/job-status.ts';
import { base64SecretPrefix } from '../../../src/contract/shared-constants.ts';
import { MillraceWebhookError } from './errors.ts';

/** A request to a webhook. */
export interface ReceivedWebhook {
  /** The headers of a Request, or of Node's IncomingMessage. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The raw body. A body that was parsed and serialised again no longer matches the signature. */
  readonly body: string | Uint8Array<ArrayBuffer>;
}

/** Options of the verification. */
export interface VerifyOptions {
  /** Maximum difference between the timestamp and the clock, in seconds. Default: 300. */
  readonly tolerance?: number | undefined;
  /** Replaces the clock: milliseconds since 1970. */
  readonly now?: number | undefined;
}

/** An event that the service sent. */
export interface VerifiedWebhook {
  /** The same for each delivery of this event: use it to ignore duplicates. */
  readonly id: string;
  /** The last event of the render. */
  readonly event: RenderStatusEvent;
}

const DEFAULT_TOLERANCE = 300;
/** Maximum number of signatures that are read from a header. Further ones are ignored. */
const MAX_SIGNATURES = 10;

/**
 * Verifies that a webhook is recent and comes from a service that has the secret, by HMAC-SHA-256 over its ID, timestamp
 * and body (Standard Webhooks). Needs WebCrypto.
 *
 * @throws MillraceWebhookError for a request that is incomplete, forged or too old.
 */
export async function verifyWebhook(
  webhook: ReceivedWebhook,
  secret: string,
  options: VerifyOptions = {},
): Promise<VerifiedWebhook> {
  const { headers, body } = webhook;
  const { tolerance = DEFAULT_TOLERANCE, now = Date.now() } = options;
  const id = readHeader(headers, 'webhook-id');
  const timestamp = readHeader(headers, 'webhook-timestamp');
  const signatures = readHeader(headers, 'webhook-signature');
  if (id === undefined || timestamp === undefined || signatures === undefined) {
    throw new MillraceWebhookError('incomplete', 'The request lacks a webhook-id, -timestamp or -signature header.');
  }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signedBytes = concatenate(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  if (!(await isSigned(signedBytes, signatures, secret))) {
    throw new MillraceWebhookError('forged', 'The signature of the webhook does not match this secret.');
  }
  // Checked after the signature, because an unsigned timestamp proves nothing.
  if (!(Math.abs(now / 1_000 - Number(timestamp)) <= tolerance)) {
    throw new MillraceWebhookError('stale', `The webhook is more than ${tolerance} s old, or the clocks differ.`);
  }
  // The service signed this JSON.
  return { id, event: JSON.parse(new TextDecoder().decode(bytes)) as RenderStatusEvent };
}

async function isSigned(signedBytes: Uint8Array<ArrayBuffer>, signatures: string, secret: string): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', decodeSecret(secret), algorithm, false, ['verify']);
  for (const signature of signatures.split(' ', MAX_SIGNATURES)) {
    const bytes = signature.startsWith('v1,') ? fromBase64(signature.slice(3)) : undefined;
    if (bytes !== undefined && (await crypto.subtle.verify('HMAC', key, bytes, signedBytes))) return true;
  }
  return false;
}

/** @throws TypeError for an invalid secret. */
function decodeSecret(secret: string): Uint8Array<ArrayBuffer> {
  if (!secret.startsWith(base64SecretPrefix)) return new TextEncoder().encode(secret);
  const key = fromBase64(secret.slice(base64SecretPrefix.length));
  if (key === undefined) throw new TypeError(`The secret must be base64 after ${base64SecretPrefix}.`);
  return key;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    // Not base64.
    return undefined;
  }
}

function concatenate(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

function readHeader(headers: ReceivedWebhook['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const [, value] = Object.entries(headers).find(([each]) => each.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : value?.[0];
}
