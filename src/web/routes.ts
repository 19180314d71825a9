import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { About } from '../contract/about.ts';
import type { Addresses } from '../contract/addresses.ts';
import { MillraceError } from '../contract/errors.ts';
import { type CacheableDocument, cacheableDocument, sendDocument } from '../http/cacheable-document.ts';
import type { Storage } from '../storage/storage.ts';
import { addAboutRoute } from './about/about-route.ts';
import { type Assets, readAssets } from './assets.ts';
import { documentHeaders } from './document-headers.ts';
import type { PageAccount } from './page-account.ts';
import { createPageDocument, type PageDocument } from './page-document.ts';

/** The services of the page. */
interface PageServices {
  readonly account: Pick<PageAccount, 'isOpen'>;
  readonly addresses: () => Addresses;
  /** Returns the origin that download links redirect to; absent if they do not redirect. */
  readonly storeOrigin: Storage['origin'];
  /** Who operates the service, its terms, and what it keeps. */
  readonly about: About;
}

const YEAR_S = 31_536_000;

/** Adds the page, its assets and `/about`. All of them are created at the first request and kept in memory. */
export function addPageRoutes(app: FastifyInstance, { account, addresses, storeOrigin, about }: PageServices): void {
  let pendingAssets: Promise<Assets> | undefined;
  const pages = new Map<boolean, CacheablePage>();
  const assets = () => {
    pendingAssets ??= readAssets();
    return pendingAssets;
  };

  app.get('/', async (request, reply) => {
    const open = await account.isOpen();
    const page = pages.get(open) ?? createPage(await assets(), addresses(), await storeOrigin?.(), open);
    pages.set(open, page);
    const { text, headers } = page.document;
    const policy = page.policy(request.host);
    return sendDocument(request, reply, { text, headers: { ...headers, 'content-security-policy': policy } });
  });

  addAboutRoute(app, { about, assets, addresses });

  app.get<{ Params: { version: string; '*': string } }>(
    '/assets/:version/*',
    { compress: false },
    async (request, reply) => {
      const { folder, files } = await assets();
      const { version, '*': path } = request.params;
      const asset = folder === `assets/${version}` ? files.get(path) : undefined;
      if (asset === undefined) {
        throw new MillraceError('not_found', 'This part of the page no longer exists. Reload the page.');
      }
      const coding = codingFor(request);
      return reply
        .headers({
          'content-type': asset.type,
          'cache-control': `public, max-age=${YEAR_S}, immutable`,
          etag: `"${version}-${coding}"`,
          vary: 'accept-encoding',
          ...(coding === 'plain' ? {} : { 'content-encoding': coding }),
        })
        .send(asset[coding]);
    },
  );
}

interface CacheablePage {
  readonly document: CacheableDocument;
  readonly policy: PageDocument['policy'];
}

function createPage(assets: Assets, addresses: Addresses, store: string | undefined, open: boolean): CacheablePage {
  const { text, policy } = createPageDocument(assets, addresses, store, open);
  const document = cacheableDocument(text, 'text/html', documentHeaders);
  return { document, policy };
}

/** Selects the smallest coding that the browser accepts (RFC 9110 §12.5.3). */
function codingFor({ headers }: FastifyRequest): 'br' | 'gzip' | 'plain' {
  const acceptedCodings = String(headers['accept-encoding'] ?? '')
    .split(',')
    .filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
    .map((part) => part.split(';', 1).join('').trim().toLowerCase());
  return (['br', 'gzip'] as const).find((coding) => acceptedCodings.includes(coding)) ?? 'plain';
}
