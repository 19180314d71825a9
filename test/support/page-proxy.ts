import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy that serves a page below a path, loses its connection, and switches to another version of the page. */
export interface PageProxy {
  /** Address of the page. */
  readonly url: string;
  /** Forwards requests to a service. */
  forwardTo(service: string): void;
  /** While true, it cuts all connections. */
  isOffline: boolean;
  /** While true, the page's assets are in another folder, as those of another version are. */
  isNewVersion: boolean;
  /** Responds instead of the service. The URL of the request is below the page's path. Returns whether it responded. */
  intercept: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  close(): Promise<void>;
}

/** The folder of the assets in links and paths. */
const assetFolder = /assets\/[\w-]{16}(?!-2)/g;

/** Opens a proxy that serves the page of a service below `/tools/millrace/`. */
export async function openPageProxy(): Promise<PageProxy> {
  const prefix = '/tools/millrace';
  let target = '';
  const server = createServer((request, response) => {
    forward(request, response).catch(() => response.destroy());
  });

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '', method = 'GET', headers } = request;
    if (proxy.isOffline) throw new Error('the proxy is offline');
    const path = url.slice(prefix.length);
    request.url = path;
    if (url.startsWith(prefix) && proxy.intercept?.(request, response) === true) return;
    const isAsset = path.startsWith('/assets/');
    const isOfOtherVersion = isAsset && proxy.isNewVersion !== path.includes('-2/');
    if (!url.startsWith(prefix) || isOfOtherVersion) {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<!doctype html>');
      return;
    }
    const sentHeaders = Object.entries(headers).filter(
      ([name]) => name.startsWith('x-') || name.startsWith('sec-fetch'),
    );
    const answer = await fetch(target + path.replace('-2/', '/'), {
      method,
      headers: { ...Object.fromEntries(sentHeaders as [string, string][]), accept: headers.accept ?? '*/*' },
      redirect: 'manual',
    });
    const body = Buffer.from(await answer.arrayBuffer());
    const answerHeaders = Object.fromEntries(answer.headers);
    for (const name of ['content-encoding', 'content-length', 'transfer-encoding', 'connection', 'keep-alive']) {
      delete answerHeaders[name];
    }
    if (!proxy.isNewVersion || isAsset) {
      response.writeHead(answer.status, answerHeaders).end(body);
      return;
    }
    // The policy allows only scripts from the folder of the first version.
    delete answerHeaders['content-security-policy'];
    delete answerHeaders.etag;
    response
      .writeHead(answer.status, answerHeaders)
      .end(body.toString().replaceAll(assetFolder, '$&-2').replace('"version":"', '$&2-'));
  }

  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const proxy: PageProxy = {
    url: `http://127.0.0.1:${port}${prefix}/`,
    forwardTo(service) {
      target = service;
    },
    isOffline: false,
    isNewVersion: false,
    intercept: undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return proxy;
}
