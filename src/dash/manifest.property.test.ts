/** @module-tag long */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MillraceError } from '../contract/errors.ts';
import { startCpuClock } from '../testing/cpu-clock.ts';
import { propertyRuns } from '../testing/property-runs.ts';
import { createDashMedia } from './dash-media.ts';
import { type DashManifest, parseManifest } from './manifest.ts';

function readOrRefuse(text: string): void {
  let manifest: DashManifest;
  try {
    manifest = parseManifest(text, 'https://cdn.example/list.mpd');
  } catch (error) {
    expect(error).toBeInstanceOf(MillraceError);
    expect(error).toMatchObject({ code: 'invalid_response_data', message: expect.stringMatching(/character \d+: /) });
    return;
  }
  const { videos, audios } = createDashMedia(manifest, () => undefined);
  const items = [...videos, ...audios].map(({ item }) => item);
  expect(items).toHaveLength(manifest.representations.length);
  expect(new Set(items.map(({ repId }) => repId)).size).toBe(items.length);
  expect(items.every(({ url }) => /^https?:\/\//.test(url))).toBe(true);
  expect(items.every(({ metadata }) => Number.isFinite(metadata.width * metadata.height))).toBe(true);
}

const escapeXml = (text: string) =>
  text.replace(/[&<>"']/g, (character) => `&#${character === '&' ? 'x26' : character.charCodeAt(0)};`);

const representation = fc.record({
  id: fc.string({ minLength: 1, maxLength: 12 }),
  path: fc.stringMatching(/^[a-z0-9_]{1,12}\.mp4$/),
  query: fc.stringMatching(/^[a-z]=[a-z0-9]{1,8}&[a-z]=[a-z0-9]{1,8}$/),
  kind: fc.constantFrom('video', 'audio'),
  bandwidth: fc.nat(),
  width: fc.nat(9999),
  height: fc.nat(9999),
});

const tokens = fc.constantFrom(
  '<MPD>',
  '</MPD>',
  '<Period>',
  '</Period>',
  '<AdaptationSet contentType="video">',
  '</AdaptationSet>',
  '<Representation id="1" width="1e9" bandwidth="99999999999999999999">',
  '</Representation>',
  '<BaseURL>https://cdn.example/a</BaseURL>',
  '<BaseURL>',
  '</BaseURL>',
  '<SegmentBase/>',
  '<![CDATA[',
  ']]>',
  '<!--',
  '-->',
  '<?xml?>',
  '<!DOCTYPE a>',
  '&amp;',
  '&#0;',
  '&#x41;',
  '&a;',
  '<',
  '>',
  '"',
  ' a="b"',
  '\uFEFF',
);

describe('parseManifest', () => {
  it('parses a manifest written from a model back to the model', () => {
    fc.assert(
      fc.property(fc.array(representation, { maxLength: 20 }), (files) => {
        const sets = files.map(
          ({ id, path, query, kind, bandwidth, width, height }) =>
            `<AdaptationSet contentType="${kind}"><Representation id="${escapeXml(id)}" bandwidth='${bandwidth}' ` +
            `width="${width}" height="${height}"><!-- <x> --><BaseURL>\n https://cdn.example/${path}?` +
            `${escapeXml(query)} </BaseURL></Representation></AdaptationSet>`,
        );
        const { representations } = parseManifest(`<m:MPD><Period>${sets.join('\n')}</Period></m:MPD>`);
        expect(representations).toMatchObject(
          files.map(({ id, path, query, kind, bandwidth, width, height }) => ({
            ...{ id, kind, bandwidth, width, height },
            url: `https://cdn.example/${path}?${query}`,
          })),
        );
      }),
      { seed: 11 },
    );
  });

  it('parses or rejects any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 500 }), readOrRefuse), { seed: 12 });
    fc.assert(
      fc.property(fc.array(tokens, { maxLength: 60 }), (parts) => readOrRefuse(parts.join(''))),
      { seed: 13, numRuns: propertyRuns(500) },
    );
    fc.assert(
      fc.property(fc.array(tokens, { maxLength: 40 }), (parts) =>
        readOrRefuse(`<MPD><Period><AdaptationSet>${parts.join('')}</AdaptationSet></Period></MPD>`),
      ),
      { seed: 14, numRuns: propertyRuns(500) },
    );
  });

  it('terminates for manifests as large as the limits allow', () => {
    const fillText = (begin: string, part: string) =>
      begin + part.repeat(Math.floor((500_000 - begin.length) / part.length));
    for (const text of [
      fillText('<MPD>', '&'),
      fillText('<MPD>', '&a'),
      fillText('<MPD>', '&amp;'),
      fillText('<MPD a="', ' '),
      fillText('<MPD ', ' '),
      fillText('<MPD a', ' '),
      fillText('<MPD ', 'a="b" '),
      fillText('<MPD>', '<!---->'),
      fillText('<MPD>', '<![CDATA[a]]>'),
      fillText('<MPD>', '</'),
      fillText('<MPD>', '<a>'),
      `<MPD><Period><AdaptationSet contentType="video">${'<Representation id="1"><BaseURL>a</BaseURL></Representation>'.repeat(2_400)}</AdaptationSet></Period></MPD>`,
    ]) {
      const elapsed = startCpuClock();
      readOrRefuse(text);
      expect(elapsed()).toBeLessThan(1000);
    }
  });
});
