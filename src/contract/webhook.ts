import Type from 'typebox';
import type { FieldFault } from './errors.ts';
import { base64SecretPrefix } from './shared-constants.ts';
import { trimTrailing } from './trim-trailing.ts';
import { urlFaults } from './url-faults.ts';

/** Bounds of a webhook, in characters. */
const webhookLimits = { urlLength: 2_048, secret: { min: 16, max: 256 } } as const;

/** Where the last status event of a job is posted. {@link webhookFaults} checks what a schema cannot express. */
export const webhookSchema = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: webhookLimits.urlLength,
      description: 'Where the last status event of the job is posted to, http or https; redirects are not followed.',
    }),
    secret: Type.String({
      minLength: webhookLimits.secret.min,
      maxLength: webhookLimits.secret.max,
      description: 'What it is signed with: whsec_ and a key in base64, or any ASCII text.',
    }),
  },
  { additionalProperties: false, description: 'Who is told when the job is over.' },
);

/** Where the last status event of a job is posted, and the secret that signs it. */
export type Webhook = Readonly<Type.Static<typeof webhookSchema>>;

/** Returns the faults of a webhook that its schema does not find. */
export function webhookFaults(webhook: Webhook | undefined): FieldFault[] {
  if (webhook === undefined) return [];
  const { url, secret } = webhook;
  const faults = urlFaults('webhook.url', url);
  const parsedUrl = URL.parse(url);
  if (parsedUrl !== null && (parsedUrl.username !== '' || parsedUrl.password !== '')) {
    faults.push({ path: 'webhook.url', message: 'must hold no user name or password' });
  }
  if (!/^[\x20-\x7e]+$/.test(secret)) {
    faults.push({ path: 'webhook.secret', message: 'must hold printable ASCII characters alone' });
  } else if (secret.startsWith(base64SecretPrefix) && !isKey(secret.slice(base64SecretPrefix.length))) {
    const min = webhookLimits.secret.min;
    faults.push({
      path: 'webhook.secret',
      message: `must be base64 of ${min} bytes or more after ${base64SecretPrefix}`,
    });
  }
  return faults;
}

/** Base64 as RFC 4648 §4 has it. */
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Whether a text is the base64 form of a key that is long enough. */
function isKey(text: string): boolean {
  const bytes = Math.floor((trimTrailing(text, '=').length * 3) / 4);
  return base64.test(text) && bytes >= webhookLimits.secret.min;
}
