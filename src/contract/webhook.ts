import Type from 'typebox';
import type { FieldFault } from './errors.ts';
import { base64SecretPrefix } from './shared-constants.ts';
import { trimTrailing } from './trim-trailing.ts';
import { credentialFaults, urlFaults } from './url-faults.ts';

/** Limits of a webhook, in characters. */
const webhookLimits = { urlLength: 2_048, secret: { min: 16, max: 256 } } as const;

/** The members of a webhook. */
export const webhookMembers = {
  url: Type.String({
    minLength: 1,
    maxLength: webhookLimits.urlLength,
    description:
      'An http or https URL that receives the last status event of the job by POST. Redirects are not followed.',
  }),
  secret: Type.String({
    minLength: webhookLimits.secret.min,
    maxLength: webhookLimits.secret.max,
    description: 'Secret that signs the request: whsec_ followed by a base64 key, or any ASCII text.',
  }),
};

/**
 * The webhook that receives the last status event of a job. {@link webhookFaults} checks what a schema cannot express.
 */
export const webhookSchema = Type.Object(webhookMembers, {
  additionalProperties: false,
  description: 'The webhook to notify when the job ends.',
});

/** The URL that receives the last status event of a job, and the secret that signs it. */
export type Webhook = Readonly<Type.Static<typeof webhookSchema>>;

/** Returns the faults of a webhook that its schema does not find. `parent` is the path of the webhook, with a dot. */
export function webhookFaults(webhook: Webhook | undefined, parent = 'webhook.'): FieldFault[] {
  if (webhook === undefined) return [];
  const { url, secret } = webhook;
  const faults = [...urlFaults(`${parent}url`, url), ...credentialFaults(`${parent}url`, url)];
  if (!/^[\x20-\x7e]+$/.test(secret)) {
    faults.push({ path: `${parent}secret`, message: 'must contain only printable ASCII characters' });
  } else if (secret.startsWith(base64SecretPrefix) && !isKey(secret.slice(base64SecretPrefix.length))) {
    const min = webhookLimits.secret.min;
    faults.push({
      path: `${parent}secret`,
      message: `must be base64 of at least ${min} bytes after ${base64SecretPrefix}`,
    });
  }
  return faults;
}

/** Base64 as defined by RFC 4648 §4. */
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Whether a text is the base64 form of a sufficiently long key. */
function isKey(text: string): boolean {
  const bytes = Math.floor((trimTrailing(text, '=').length * 3) / 4);
  return base64.test(text) && bytes >= webhookLimits.secret.min;
}
