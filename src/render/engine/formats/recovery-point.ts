import { decline } from '../binary/fast-path-declined.ts';
import { withoutEscapes } from './nal-units.ts';

/** Supplemental information that marks a picture as a point where decoding can begin (ITU-T H.264 §D.1.8, H.265 §D.2.8). */
const recoveryPoint = 6;

/** Maximum number of bytes of supplemental information that are parsed. */
const maxSeiBytes = 64 * 1024;

/**
 * Returns whether supplemental information marks a recovery point (ITU-T H.264 and H.265, §7.3.2.3.1 and §7.3.5).
 *
 * @param escapedSei - a NAL unit without its header.
 * @throws FastPathDeclined if it is too long.
 */
export function hasRecoveryPoint(escapedSei: Buffer): boolean {
  if (escapedSei.length > maxSeiBytes) decline('one of its pictures has too much supplemental information');
  const bytes = withoutEscapes(escapedSei);
  let at = 0;
  const number = () => {
    let value = 0;
    while (bytes[at] === 0xff) {
      value += 0xff;
      at += 1;
    }
    value += bytes[at] ?? 0;
    at += 1;
    return value;
  };
  // The last byte ends the unit.
  while (at < bytes.length - 1) {
    if (number() === recoveryPoint) return true;
    const length = number();
    at += length;
  }
  return false;
}
