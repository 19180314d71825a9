import { dig, type Fields, fields } from '../../../parsing/values.ts';
import type { Copies } from './records.ts';

/** Whether a copy is one of a video. */
export function isVideo(copy: Fields): boolean {
  return copy.__typename === 'Video' || hasDelivery(copy);
}

/** Whether a copy has a place for the files of a video. */
export function hasDelivery(copy: Fields): boolean {
  return copy.videoDeliveryLegacyFields != null || copy.videoDeliveryResponseFragment != null;
}

/** Where a video's copies hold its files: beside the rest, or in a member of their own. */
export function deliveryCopies(copies: Copies): Copies {
  return copies.flatMap((copy) => [copy, fields(copy.videoDeliveryLegacyFields)]);
}

/** The newer delivery of a video's files (seen since 2026-08). */
export function deliveryResult(copy: Fields): unknown {
  return dig(copy, 'videoDeliveryResponseFragment', 'videoDeliveryResponseResult');
}
