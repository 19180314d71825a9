import { describe, expect, test } from 'vitest';
import { mergeProbes, ProbesError, readProbeFile } from './probe-file.ts';

const probe = { name: 'video', endpoint: '/video/details', parameters: { videoId: 'a' }, expects: ['metadata.title'] };

describe('a file of probes', () => {
  test('is read', () => {
    const probes = { p1: [{ ...probe, pages: 'metadata.playlist', media: true }], p5: [] };
    expect(readProbeFile(JSON.stringify(probes))).toEqual(probes);
  });

  test.each([
    ['{', /not valid JSON/],
    ['[]', /object/],
    ['{"p1":{}}', /p1 must be array/],
    ['{"p1":[{}]}', /p1\.0\.name is required; p1\.0\.endpoint is required/],
    [JSON.stringify({ p1: [{ ...probe, expects: [] }] }), /p1\.0\.expects/],
    [JSON.stringify({ p1: [{ ...probe, wants: 1 }] }), /p1\.0\.wants is not a known member/],
    [JSON.stringify({ p1: [{ ...probe, parameters: { videoId: 1 } }] }), /p1\.0\.parameters\.videoId must be string/],
  ])('is rejected if it contains %s', (text, message) => {
    expect(() => readProbeFile(text)).toThrow(ProbesError);
    expect(() => readProbeFile(text)).toThrow(message);
  });
});

describe('mergeProbes', () => {
  test('adds probes, and replaces those with the same name', () => {
    const other = { ...probe, name: 'short' };
    const changed = { ...probe, expects: ['metadata.author'] };
    expect(mergeProbes({ p1: [probe, other], p2: [probe] }, { p1: [changed], p5: [probe] })).toEqual({
      p1: [changed, other],
      p2: [probe],
      p5: [probe],
    });
  });
});
