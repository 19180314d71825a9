import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Addresses } from '../../addresses.ts';
import { MillraceError } from '../../contract/errors.ts';
import type { Platform } from '../../platforms/platform.ts';
import { createDocuments } from './documents.ts';

const MAX_AGE_S = 300;

/**
 * Adds the documents of the API, open to all: `/openapi`, `/openapi/platforms` and `/openapi/{platform}`, each with or
 * without `.json`. They are written once, at the first request, when the service knows its addresses.
 */
export function addOpenapiRoutes(
  app: FastifyInstance,
  platforms: readonly Platform[],
  addresses: () => Addresses,
): void {
  let written: Texts | undefined;
  const texts = () => {
    written ??= writeTexts(platforms, addresses());
    return written;
  };
  const send = (reply: FastifyReply, text: string) =>
    reply
      .headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': `public, max-age=${MAX_AGE_S}` })
      .send(text);

  for (const path of ['/openapi', '/openapi.json']) {
    app.get(path, (_request, reply) => send(reply, texts().combined));
  }
  app.get<{ Params: { name: string } }>('/openapi/:name', async (request, reply) => {
    const name = request.params.name.replace(/\.json$/, '');
    const { named } = texts();
    const text = named.get(name);
    if (text !== undefined) return send(reply, text);
    const message = `There is no document of that name. Possible are ${[...named.keys()].join(', ')}.`;
    throw new MillraceError('not_found', message, { parameter: 'platform' });
  });
}

interface Texts {
  readonly combined: string;
  /** By the name in the path. */
  readonly named: ReadonlyMap<string, string>;
}

function writeTexts(platforms: readonly Platform[], addresses: Addresses): Texts {
  const { combined, single, list } = createDocuments(platforms, addresses);
  return {
    combined: JSON.stringify(combined),
    named: new Map([
      ['platforms', JSON.stringify(list)],
      ...single.map(({ id, document }) => [id, JSON.stringify(document)] as const),
    ]),
  };
}
