/**
 * The tag in which iTunes states priming, padding and length of audio as hexadecimal numbers of samples, after a zero
 * (Apple TN2258).
 */
export const primingTag = 'iTunSMPB';

const pattern = /^ ?[\da-f]{8} ([\da-f]{8}) /i;

/** Returns the number of samples of priming that a value of the tag states; 0 if it cannot be read. */
export function parsePriming(value: string): number {
  return Number.parseInt(pattern.exec(value)?.[1] ?? '0', 16);
}
