import { createHmac } from 'node:crypto';
import { base64SecretPrefix } from '../../contract/shared-constants.ts';

/** The signed content, and its secret. */
interface SignatureInput {
  readonly id: string;
  /** In seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
  readonly secret: string;
}

/**
 * Returns the headers that prove to a receiver who sent an event, and when, as defined by Standard Webhooks
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md, HMAC-SHA-256 as `v1`).
 */
export function signatureHeaders({ id, timestamp, body, secret }: SignatureInput): Record<string, string> {
  const signature = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': `v1,${signature}` };
}

function keyOf(secret: string): Buffer {
  return secret.startsWith(base64SecretPrefix)
    ? Buffer.from(secret.slice(base64SecretPrefix.length), 'base64')
    : Buffer.from(secret);
}
