import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { ownAddresses } from '../../recording/own-addresses.ts';
import type { RecordedExchange } from '../../recording/recorded-exchange.ts';
import { scrubExchange } from '../../recording/scrub.ts';
import { createVisitValues } from '../../recording/visit-values.ts';
import type { ProbeCase } from '../run-probe.ts';

const compress = promisify(gzip);

/**
 * Saves the exchanges of a probe without secrets: as `<n>.json.gz` in `<folder>/<platform>/probes/<name>[.<strategy>]`,
 * beside a `probe.json` with the probe. An earlier recording of the probe is replaced.
 */
export async function saveRecording(
  folder: string,
  { platform, probe, strategy }: ProbeCase,
  exchanges: readonly RecordedExchange[],
): Promise<void> {
  const name = [probe.name, ...(strategy === undefined ? [] : [strategy])].map(fileName).join('.');
  const target = join(folder, platform, 'probes', name);
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  const { endpoint, parameters, expects, pages } = probe;
  const details = { platform, endpoint, parameters, strategy, expects, pages, date: new Date().toISOString() };
  await writeFile(join(target, 'probe.json'), `${JSON.stringify(details, undefined, 2)}\n`);
  const addresses = ownAddresses();
  const visit = createVisitValues();
  for (const [index, exchange] of exchanges.entries()) {
    const json = JSON.stringify(scrubExchange(exchange, addresses, visit), undefined, 1);
    await writeFile(join(target, `${index + 1}.json.gz`), await compress(json));
  }
}

/** Returns a name without characters that have a meaning in paths. */
function fileName(name: string): string {
  return name.replace(/[^\w-]+/g, '-');
}
