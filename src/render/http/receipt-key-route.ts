import type { FastifyInstance } from 'fastify';
import { type ReceiptKeys, receiptKeysMediaType } from '../../contract/receipt.ts';
import { linkRoutes } from '../../contract/render-api/routes.ts';
import { addRoute } from '../../http/add-route.ts';
import { cacheableDocument, sendDocument } from '../../http/cacheable-document.ts';
import type { KeyHistory } from '../../receipts/key-history.ts';

/** Adds the route that publishes the public keys of receipts. Pages of any site may read it. */
export function addReceiptKeyRoute(app: FastifyInstance, history: Pick<KeyHistory, 'read'>): void {
  addRoute(app, linkRoutes.readReceiptKeys, async (request, reply) => {
    const keys: ReceiptKeys = { keys: [...(await history.read())] };
    const { body, headers } = cacheableDocument(JSON.stringify(keys, undefined, 2), receiptKeysMediaType);
    return sendDocument(request, reply, { body, headers });
  });
}
