import { type Fields, isFields, text } from '../../../parsing/values.ts';

/** Returns a DASH manifest, or undefined for any other value. */
export function manifestIn(value: unknown): string | undefined {
  const manifest = text(value);
  return manifest?.includes('<MPD') ? manifest : undefined;
}

/** Returns whether a video has a manifest in one of its members, or directly in an object there. */
export function holdsManifest(media: Fields): boolean {
  return Object.values(media).some((value) =>
    (isFields(value) ? Object.values(value) : [value]).some((member) => manifestIn(member) !== undefined),
  );
}
