import { writeFile } from 'node:fs/promises';
import type { ApiDocument } from '../../src/openapi/document-types.ts';
import { exampleRequest } from '../../test/support/example-request.ts';
import { keys, startLab, startService, temporaryFolder } from '../../test/support/processes.ts';
import { build } from '../build/build.ts';
import { shortenExample } from './shorten-example.ts';

/*
 * Records src/openapi/response-examples.json: a response of each data endpoint, from a service with the lab. Run it
 * after a change to the responses of a platform or to its lab.
 */

const target = new URL('../../src/openapi/response-examples.json', import.meta.url);

/** The clock of the service and the lab stands still, so that all times in the examples stay the same. */
const clock = { startingAt: Date.parse('2026-11-22T10:00:00.000Z'), clockRate: 1e-9 };

/** Addresses in the examples. */
const addresses = { BASE_URL: 'https://api.example', RENDER_URL: 'https://render.example' };

await build();
const folder = await temporaryFolder();
try {
  const lab = await startLab({}, clock);
  try {
    const service = await startService(lab.url, folder.path, addresses, clock);
    try {
      await writeFile(target, await record(service.url));
    } finally {
      await service.stop();
    }
  } finally {
    await lab.stop();
  }
} finally {
  await folder.delete();
}

/** Returns the examples as JSON, one per line. */
async function record(service: string): Promise<string> {
  const { paths } = (await fetchJson(`${service}/openapi`)) as ApiDocument;
  const lines: string[] = [];
  for (const [path, { get }] of Object.entries(paths)) {
    const request = get === undefined ? undefined : exampleRequest(path, get);
    if (request === undefined) continue;
    const body = await fetchJson(service + request);
    if (!('error' in body) || body.error !== null) throw new Error(`${request} failed: ${JSON.stringify(body)}`);
    lines.push(`  ${JSON.stringify(path)}: ${JSON.stringify(shortenExample(body))}`);
  }
  return `{\n${lines.join(',\n')}\n}\n`;
}

async function fetchJson(url: string): Promise<object> {
  const headers = { 'x-marketplace-key': keys.MEGA, 'x-marketplace-host': 'api.example' };
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(30_000) });
  return (await response.json()) as object;
}
