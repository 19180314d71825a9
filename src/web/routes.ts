import type { FastifyInstance } from 'fastify';
import type { About } from '../contract/about.ts';
import type { Addresses } from '../contract/addresses.ts';
import { MillraceError } from '../contract/errors.ts';
import { type CacheableDocument, cacheableDocument, sendDocument } from '../http/cacheable-document.ts';
import { codingFor } from '../http/content-coding.ts';
import type { Storage } from '../storage/storage.ts';
import { loadOnce } from '../waiting/load-once.ts';
import { addAboutRoute } from './about/about-route.ts';
import { type Assets, type PageAssets, readPageAssets, readReferenceAssets } from './assets.ts';
import { documentHeaders } from './document-headers.ts';
import { writeManifest } from './manifest.ts';
import type { PageAccount } from './page-account.ts';
import { createPageDocument, type PageDocument } from './page-document.ts';
import { addReferenceRoute } from './reference/reference-route.ts';
import { workerPolicy, writeWorkerScript } from './worker-script.ts';

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

/** The documents compress themselves, and the assets are compressed in advance. */
const asItIs = { config: { compress: false } } as const;

/** Headers of files that change with the version but not their address. */
const revalidated = { 'cache-control': 'no-cache' };

/**
 * Adds the page, its assets, its manifest and service worker, `/about`, and the API reference at `/docs`. All of them
 * are created at the first request and kept in memory.
 */
export function addPageRoutes(app: FastifyInstance, { account, addresses, storeOrigin, about }: PageServices): void {
  const pages = new Map<boolean, CacheablePage>();
  const assets = loadOnce(readPageAssets);
  const referenceAssets = loadOnce(readReferenceAssets);

  async function currentPage(): Promise<CacheablePage> {
    const open = await account.isOpen();
    const page = pages.get(open) ?? createPage(await assets(), addresses(), await storeOrigin?.(), open);
    pages.set(open, page);
    return page;
  }

  app.get('/', asItIs, async (request, reply) => {
    const page = await currentPage();
    return sendDocument(request, reply, page.document, { 'content-security-policy': page.policy(request.host) });
  });

  app.get('/service-worker.js', { config: { ...asItIs.config, servesWorker: true } }, async (request, reply) => {
    const { worker } = await currentPage();
    return sendDocument(request, reply, worker);
  });

  const manifest = loadOnce(async () => {
    const { folder } = await assets();
    const text = writeManifest((path) => `./${folder}/${path}`);
    return cacheableDocument(text, 'application/manifest+json', revalidated);
  });
  app.get('/manifest.webmanifest', asItIs, async (request, reply) => sendDocument(request, reply, await manifest()));

  addAboutRoute(app, { about, assets, addresses });
  addReferenceRoute(app, { assets: referenceAssets, addresses });

  app.get<{ Params: { version: string; '*': string } }>('/assets/:version/*', asItIs, async (request, reply) => {
    const { version, '*': path } = request.params;
    const asset = await findAsset([assets, referenceAssets], `assets/${version}`, path);
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
  });
}

async function findAsset(sets: readonly (() => Promise<Assets>)[], folder: string, path: string) {
  for (const read of sets) {
    const assets = await read();
    if (assets.folder === folder) return assets.files.get(path);
  }
  return undefined;
}

interface CacheablePage {
  readonly document: CacheableDocument;
  readonly policy: PageDocument['policy'];
  readonly worker: CacheableDocument;
}

function createPage(assets: PageAssets, addresses: Addresses, store: string | undefined, open: boolean): CacheablePage {
  const page = createPageDocument(assets, addresses, store, open);
  const headers = { ...revalidated, 'content-security-policy': workerPolicy };
  return {
    document: cacheableDocument(page.text, 'text/html', documentHeaders),
    policy: page.policy,
    worker: cacheableDocument(writeWorkerScript(assets, page), 'text/javascript', headers),
  };
}
