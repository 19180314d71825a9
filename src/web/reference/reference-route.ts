import type { FastifyInstance } from 'fastify';
import { type Addresses, webSocketAddress } from '../../contract/addresses.ts';
import { validUrl } from '../../contract/parse-url.ts';
import { cacheableDocument, sendDocument } from '../../http/cacheable-document.ts';
import { loadOnce } from '../../waiting/load-once.ts';
import type { Assets } from '../assets.ts';
import { documentHeaders } from '../document-headers.ts';
import { assetSources } from '../page-document.ts';
import { referencePage } from './reference-page.ts';

interface ReferenceServices {
  readonly assets: () => Promise<Assets>;
  readonly addresses: () => Addresses;
}

/** Adds `GET /docs`, the API reference. It works without `WEB_KEY`. */
export function addReferenceRoute(app: FastifyInstance, { assets, addresses }: ReferenceServices): void {
  const page = loadOnce(async () => {
    const { folder } = await assets();
    const text = referencePage((path) => `./${folder}/${path}`);
    return { folder, document: cacheableDocument(text, 'text/html', documentHeaders) };
  });
  app.get('/docs', { config: { compress: false } }, async (request, reply) => {
    const { folder, document } = await page();
    const policy = createPolicy(assetSources(folder, addresses().base, request.host), addresses());
    return sendDocument(request, reply, document, { 'content-security-policy': policy });
  });
}

/**
 * Allows the page its own files, and requests to the service. Scalar's components need inline styles. Responses that
 * contain an image, a sound or a video are shown from memory.
 *
 * @param own Sources of the page's files.
 */
function createPolicy(own: string, { base, api, render }: Addresses): string {
  const service = [base, api, render, webSocketAddress(render)].map((address) => validUrl(address).origin);
  return [
    "default-src 'none'",
    `script-src ${own}`,
    `style-src ${own} 'unsafe-inline'`,
    `img-src ${own} data: blob:`,
    'media-src blob:',
    `connect-src ${[...new Set(["'self'", ...service])].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
