import Type from 'typebox';
import { readLinkParameter } from '../../link-parameter.ts';
import { isPinId, isPlatformHost, type PinReference, recognise } from '../links.ts';

/** The `pinId` parameter. */
export const pinIdParameter = Type.String({
  maxLength: 2000,
  examples: ['600000000000000105'],
  description: "Pin ID, as in the pin's URL (31454897393552949), or a link to the pin. Short links are supported.",
});

/**
 * Returns the meaning of a caller's `pinId`: an ID, or a link with text around it. Throws the errors of
 * {@link readLinkParameter}.
 */
export function pinReference(value: string): PinReference {
  return readLinkParameter<PinReference>(value, {
    name: 'pinId',
    site: 'Pinterest',
    ofText: (text) => (isPinId(text) ? { id: text } : undefined),
    isOfSite: ({ hostname }) => isPlatformHost(hostname),
    ofLink: (url) => recognise(url.href) ?? undefined,
    expected: 'a pin ID, such as 31454897393552949, or a link to a pin',
    // Links with letters instead of the ID have existed since 2026. The page of such a link may name another pin as its
    // own (recorded 2024-10), so only an ID identifies the pin.
    purpose: 'lead to a pin, or does not contain its ID',
  });
}

/** Returns the shortest form of a `pinId` parameter: an ID, or a short link. Throws the errors of {@link pinReference}. */
export function canonicalPin(value: string): string {
  const reference = pinReference(value);
  return 'id' in reference ? reference.id : `https://pin.it/${reference.shortCode}`;
}
