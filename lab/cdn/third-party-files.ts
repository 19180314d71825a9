import { fileURLToPath } from 'node:url';
import type { Exchange } from '../http/exchange.ts';
import { fileContent } from './content.ts';
import { type CdnTools, notFound } from './tools.ts';

/** Media types of the third-party files (`test/media/README.md`), by name. */
const types: Readonly<Record<string, string>> = {
  'can-autoplay.mp4': 'video/mp4',
  'node-wav.wav': 'audio/wav',
  'nosleep.mp4': 'video/mp4',
  'nosleep.webm': 'video/webm',
};

/** Serves a third-party file. */
export async function sendThirdPartyFile(exchange: Exchange, { send }: CdnTools, name: string): Promise<void> {
  const type = Object.hasOwn(types, name) ? types[name] : undefined;
  if (type === undefined) return notFound(exchange);
  const path = fileURLToPath(new URL(`../../test/media/${name}`, import.meta.url));
  await send(exchange, await fileContent(path, type));
}
