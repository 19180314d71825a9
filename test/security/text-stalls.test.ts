/** @module-tag long */

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { extract } from '../support/http-client.ts';
import { labProbes } from '../support/lab-probes.ts';
import { canMeasureStalls, MAX_STALL_MS, openStallMeter, type StallMeter } from '../support/loop-stall.ts';
import { type RunningProcess, startService, temporaryFolder } from '../support/processes.ts';
import { isShortForm } from '../support/short-form.ts';
import { type StretchingSite, startStretchingSite } from '../support/stretching-site.ts';

/*
 * A site may make any of its texts as long as a response. Steps that take longer than the text, such as normalizing
 * marks or calculating with digits, must therefore have limits for each text that reaches them.
 */

const characters = 200_000;
const fill = (part: string) => part.repeat(Math.floor(characters / part.length));

const kinds: Readonly<Record<string, string>> = {
  marks: `a${fill('\u0300\u0316')}`,
  letters: fill('A'),
  digits: fill('7'),
  hashtags: fill('#a @b '),
  links: fill('https://a.example/ '),
  spaces: `a${fill(' \n')}b`,
  tags: fill('<a href="'),
  entities: fill('&amp;'),
  separators: `https://a.example/${fill('a/?&;=')}`,
  brackets: fill('[{('),
};

/** In the short form, every so many names are tried, each with one kind of text. */
const stride = isShortForm ? 8 : 1;

const closers: (() => Promise<void>)[] = [];
let site: StretchingSite;
let service: RunningProcess;
let meter: StallMeter;

beforeAll(async () => {
  const folder = await temporaryFolder();
  closers.push(folder.delete);
  site = await startStretchingSite(inject('labUrl'));
  closers.push(site.close);
  service = await startService(site.url, folder.path, { ANSWER_CACHE: '0', USE_HEALTH: 'off' });
  closers.push(service.stop);
  if (!canMeasureStalls) return;
  meter = await openStallMeter(service);
  closers.push(meter.close);
});
afterAll(async () => {
  for (const stop of closers.reverse()) await stop();
});

const requests = Object.entries(labProbes).flatMap(([platform, probes]) =>
  probes.map(({ name, endpoint, parameters }) => {
    const query = new URLSearchParams(parameters);
    return [`${platform} ${name}`, `/${platform}/v3${endpoint}?${query}`] as const;
  }),
);

describe.skipIf(!canMeasureStalls)('other requests are not delayed (needs /proc) by very long texts in', () => {
  test.each(requests)('%s', async (_name, path) => {
    site.stretch(undefined);
    const send = async () => {
      const { body } = await extract<{ error: { code: string } | null }>(`${service.url}${path}`);
      return body.error?.code;
    };
    site.takeNames();
    expect(await send()).toBeUndefined();
    const slow: string[] = [];
    for (const [at, name] of site.takeNames().entries()) {
      if (at % stride !== 0) continue;
      const all = Object.entries(kinds);
      for (const [kind, text] of isShortForm ? all.slice((at / stride) % all.length).slice(0, 1) : all) {
        site.stretch({ name, text });
        const { processor, failures } = await meter.measure(async () => {
          expect(await send()).not.toBe('unexpected_error');
        });
        if (processor > MAX_STALL_MS) slow.push(`${name} with ${kind}: ${processor.toFixed(0)} ms`);
        expect(failures).toEqual([]);
      }
    }
    expect(slow).toEqual([]);
  });
});
