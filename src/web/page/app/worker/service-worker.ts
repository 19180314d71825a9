import { assetAddress, requestedPart } from './requested-part.ts';
import type { WorkerScope } from './worker-scope.ts';

/**
 * The service worker of the page: keeps one version of the page's own files, so that the page opens without a network.
 * A new version waits until all pages of the previous one are closed, because they load their remaining scripts from
 * its cache.
 */

/** Milliseconds after which a slow document is replaced with the cached one. */
const DOCUMENT_TIMEOUT_MS = 4_000;

const worker = self as unknown as WorkerScope;
const { scope } = worker.registration;
/** Names begin with the address of the page, because all pages of an origin share its caches. */
const ownCaches = `millrace ${scope} `;
const cacheName = ownCaches + shell.version;

worker.addEventListener('install', (event) => event.waitUntil(fillCache()));
worker.addEventListener('activate', (event) => event.waitUntil(activate()));
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const part = requestedPart(request, scope, shell);
  if (part === 'asset') event.respondWith(assetFor(request));
  if (part === 'document') event.respondWith(documentFor(request));
});

/** @throws Error if a file is missing, or if the document belongs to another version, as during a rollout. */
async function fillCache(): Promise<void> {
  const document = await fetch(scope, { cache: 'no-cache' });
  const isOwn = document.ok && !document.redirected && (await document.clone().text()).includes(`/${shell.folder}/`);
  if (!isOwn) throw new Error('The document does not belong to this version of the page.');
  const cache = await caches.open(cacheName);
  await cache.put(scope, document);
  await cache.addAll(shell.files.map((path) => assetAddress(scope, shell, path)));
}

async function activate(): Promise<void> {
  const names = await caches.keys();
  const outdated = names.filter((name) => name.startsWith(ownCaches) && name !== cacheName);
  await Promise.all(outdated.map((name) => caches.delete(name)));
  await worker.clients.claim();
}

async function assetFor(request: Request): Promise<Response> {
  return (await findCached(request.url)) ?? (await fetch(request));
}

/** Returns the document from the network; the cached one if the network fails or is too slow. */
async function documentFor(request: Request): Promise<Response> {
  const response = fetch(request);
  const inTime = await Promise.race([response.catch(() => undefined), pause(DOCUMENT_TIMEOUT_MS)]);
  return inTime ?? (await findCached(scope)) ?? (await response);
}

async function findCached(url: string): Promise<Response | undefined> {
  return await caches.match(url, { cacheName, ignoreVary: true, ignoreSearch: true });
}

function pause(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms));
}
