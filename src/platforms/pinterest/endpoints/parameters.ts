import Type from 'typebox';
import { MillraceError } from '../../../contract/errors.ts';
import { isPinId, isPlatformHost, type PinReference, pinIdPattern, recognise } from '../links.ts';

/** The `pinId` parameter. */
export const pinIdParameter = Type.String({
  pattern: pinIdPattern,
  maxLength: 2000,
  examples: ['600000000000000105'],
  description: "Pin ID, as in the pin's URL (31454897393552949), or a link to the pin. Short links are supported.",
});

/**
 * Returns the meaning of a caller's `pinId`.
 *
 * @throws MillraceError `invalid_params` for a text that is neither an ID nor a link, `invalid_platform_url` for a link
 * of another platform, `invalid_url` for a link of this platform without a pin ID.
 */
export function pinReference(value: string): PinReference {
  if (isPinId(value)) return { id: value };
  const url = /^https?:\/\//i.test(value) ? URL.parse(value) : null;
  if (url === null)
    throw fault('invalid_params', 'pinId must be a pin ID, such as 31454897393552949, or a link to a pin.');
  const reference = recognise(value);
  if (reference !== null) return reference;
  if (isPlatformHost(url.hostname)) {
    // Links with letters instead of the ID have existed since 2026. The page of such a link may name another pin as its
    // own (recorded 2024-10), so only an ID identifies the pin.
    throw fault('invalid_url', 'The link in pinId does not contain a pin ID. Send a link that does, or the ID itself.');
  }
  throw fault(
    'invalid_platform_url',
    `The link in pinId leads to ${url.hostname.slice(0, 80)}, which is another platform.`,
  );
}

function fault(code: 'invalid_params' | 'invalid_url' | 'invalid_platform_url', message: string): MillraceError {
  return new MillraceError(code, message, { parameter: 'pinId' });
}
