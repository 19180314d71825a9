import type { KnownMetadata } from '../../contract/metadata.ts';

/** Says that a video is live or has not started; undefined for everything else. */
export function liveText({ additionalData = {} }: KnownMetadata): string | undefined {
  if (additionalData.isLive === true) return 'LIVE';
  if (additionalData.isUpcoming !== true) return undefined;
  const { live } = additionalData;
  const start = typeof live === 'object' && live !== null && 'scheduledAt' in live ? live.scheduledAt : undefined;
  const time = Date.parse(typeof start === 'string' ? start : '');
  return Number.isNaN(time)
    ? 'has not started'
    : `starts at ${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
