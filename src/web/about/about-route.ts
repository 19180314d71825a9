import type { FastifyInstance } from 'fastify';
import type { About } from '../../contract/about.ts';
import type { Addresses } from '../../contract/addresses.ts';
import { cacheableDocument, sendDocument } from '../../http/cacheable-document.ts';
import { loadOnce } from '../../waiting/load-once.ts';
import type { Assets } from '../assets.ts';
import { documentHeaders } from '../document-headers.ts';
import { assetSources } from '../page-document.ts';
import { aboutPage } from './about-page.ts';

interface AboutServices {
  readonly about: About;
  readonly assets: () => Promise<Assets>;
  readonly addresses: () => Addresses;
}

const vary = 'accept, accept-encoding';

/** Adds `GET /about`: a page for browsers, and JSON for callers that accept only that. It works without `WEB_KEY`. */
export function addAboutRoute(app: FastifyInstance, { about, assets, addresses }: AboutServices): void {
  const json = cacheableDocument(JSON.stringify(about), 'application/json', { vary });
  const page = loadOnce(async () => {
    const { folder } = await assets();
    const text = aboutPage(about, (path) => `./${folder}/${path}`);
    return { folder, document: cacheableDocument(text, 'text/html', { ...documentHeaders, vary }) };
  });
  app.get('/about', { config: { compress: false } }, async (request, reply) => {
    if (prefersJson(request.headers.accept)) return sendDocument(request, reply, json);
    const { folder, document } = await page();
    const own = assetSources(folder, addresses().base, request.host);
    const policy = [
      "default-src 'none'",
      `style-src ${own}`,
      `img-src ${own}`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; ');
    return sendDocument(request, reply, document, { 'content-security-policy': policy });
  });
}

/** Whether a caller accepts JSON and not HTML. Browsers accept both types only with HTML first. */
function prefersJson(accept = ''): boolean {
  const types = accept.split(',').map((part) => part.split(';', 1).join('').trim().toLowerCase());
  return types.includes('application/json') && !types.includes('text/html');
}
