import Type from 'typebox';
import { MillraceError } from '../../../contract/errors.ts';
import { isPinId, isPlatformHost, type PinReference, pinIdPattern, recognise } from '../links.ts';

/** `pinId`. */
export const pinIdParameter = Type.String({
  pattern: pinIdPattern,
  maxLength: 2000,
  examples: ['600000000000000105'],
  description: 'Number of the pin, as in its address (31454897393552949), or a link to it, short ones included.',
});

/**
 * What a caller's `pinId` means.
 *
 * @throws MillraceError `invalid_params` for what is neither number nor link, `invalid_platform_url` for a link of
 *   another platform, `invalid_url` for one of this platform that names no pin by number.
 */
export function pinReference(value: string): PinReference {
  if (isPinId(value)) return { id: value };
  const url = /^https?:\/\//i.test(value) ? URL.parse(value) : null;
  if (url === null) throw fault('invalid_params', 'pinId must be the number of a pin, such as 31454897393552949.');
  const reference = recognise(value);
  if (reference !== null) return reference;
  if (isPlatformHost(url.hostname)) {
    // Links with letters in place of the number exist since 2026. The page behind one may name another pin as its own
    // (recorded 2024-10), so that only the number says which one is meant.
    throw fault(
      'invalid_url',
      'The link in pinId names no pin by its number. Send one with the number, or the number itself.',
    );
  }
  throw fault(
    'invalid_platform_url',
    `The link in pinId is of ${url.hostname.slice(0, 80)}, which is another platform.`,
  );
}

function fault(code: 'invalid_params' | 'invalid_url' | 'invalid_platform_url', message: string): MillraceError {
  return new MillraceError(code, message, { parameter: 'pinId' });
}
