import { dig, type Fields, fields } from '../../../parsing/values.ts';
import type { Copies } from './records.ts';

/** Returns whether a copy describes a video. */
export function isVideo(copy: Fields): boolean {
  return copy.__typename === 'Video' || hasDelivery(copy);
}

/** Returns whether a copy has members for a video's files. */
export function hasDelivery(copy: Fields): boolean {
  return copy.videoDeliveryLegacyFields != null || copy.videoDeliveryResponseFragment != null;
}

/** Returns the copies of a video that list its files, either directly or in a nested member. */
export function deliveryCopies(copies: Copies): Copies {
  return copies.flatMap((copy) => [copy, fields(copy.videoDeliveryLegacyFields)]);
}

/** Returns the member that lists a video's files in the newer format (seen since 2026-08). */
export function deliveryResult(copy: Fields): unknown {
  return dig(copy, 'videoDeliveryResponseFragment', 'videoDeliveryResponseResult');
}
