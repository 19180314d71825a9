import { createHash } from 'node:crypto';

/**
 * Signs the parts of a link. The lab has no secrets: the signature only distinguishes valid links from invalid ones.
 */
export function sign(...parts: readonly string[]): string {
  return createHash('sha512')
    .update(['lab', ...parts].join('\n'))
    .digest('base64url');
}
