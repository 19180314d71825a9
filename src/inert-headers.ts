import { create as contentDisposition } from 'content-disposition';
import type { DataType, playlistType } from './contract/passive-types.ts';

const nothing = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];

/**
 * Headers of every response: no browser runs or frames it, or takes it for another type than the one sent. Pages replace
 * the policy by their own.
 */
export const inertHeaders = {
  'content-security-policy': nothing.join('; '),
  'x-content-type-options': 'nosniff',
  // For browsers that do not know frame-ancestors.
  'x-frame-options': 'DENY',
} as const;

/** What a file is sent as. */
export interface DataFile {
  readonly type: DataType | typeof playlistType;
  /** The name that browsers save it under. */
  readonly name: string;
}

/**
 * Headers of bytes that come from elsewhere: finished files and relayed media. Opened by itself, such a file is saved, or
 * shown without scripts and without the service's origin. Pages of any site may embed it.
 */
export function dataHeaders({ type, name }: DataFile): Record<string, string> {
  return {
    ...inertHeaders,
    'content-security-policy': ['sandbox', ...nothing].join('; '),
    'content-type': type,
    'content-disposition': contentDisposition(name),
    // Isolated pages (Cross-Origin-Embedder-Policy: require-corp) load media of another origin only with this header.
    'cross-origin-resource-policy': 'cross-origin',
  };
}
