import { create as contentDisposition } from 'content-disposition';
import type { InertType, playlistType } from '../contract/inert-media-types.ts';
import type { receiptMediaType } from '../contract/receipt.ts';

const denyAll = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];

/**
 * Headers of every response. With them, browsers do not run it, frame it or guess a type other than the one sent. Pages
 * replace the content security policy with their own.
 */
export const inertHeaders = {
  'content-security-policy': denyAll.join('; '),
  'x-content-type-options': 'nosniff',
  // For browsers without support for frame-ancestors.
  'x-frame-options': 'DENY',
} as const;

/** The type and name that a file is sent with. */
interface InertFile {
  readonly type: InertType | typeof playlistType | typeof receiptMediaType;
  /** The name under which browsers save it. */
  readonly name: string;
}

/**
 * Returns the headers of untrusted content: finished files, their receipts and relayed media. A browser that opens such
 * a file saves it, or displays it without scripts and without the service's origin. Pages of any site may embed it.
 */
export function inertFileHeaders({ type, name }: InertFile): Record<string, string> {
  return {
    ...inertHeaders,
    'content-security-policy': ['sandbox', ...denyAll].join('; '),
    'content-type': type,
    'content-disposition': contentDisposition(name),
    // Isolated pages (Cross-Origin-Embedder-Policy: require-corp) load media of another origin only with this header.
    'cross-origin-resource-policy': 'cross-origin',
  };
}
