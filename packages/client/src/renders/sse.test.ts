import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../../src/testing/property-runs.ts';
import { createEventReader } from './sse.ts';

/** Reads the events of a stream that arrives in chunks. */
function readEvents(chunks: readonly string[]): string[] {
  const reader = createEventReader();
  return chunks.flatMap((piece) => reader.push(piece));
}

/** Splits a text at arbitrary positions. */
const splits = (text: string) =>
  fc.array(fc.nat(text.length)).map((places) => {
    const at = [0, ...places.sort((a, b) => a - b), text.length];
    return at.slice(1).map((end, index) => text.slice(at[index], end));
  });

describe('the event reader', () => {
  it.each([
    ['data: a\n\n', ['a']],
    ['data:a\n\ndata:  b\n\n', ['a', ' b']],
    ['data: a\ndata: b\n\n', ['a\nb']],
    ['data: a\r\n\r\ndata: b\r\rdata: c\n\n', ['a', 'b', 'c']],
    [': a comment\nevent: x\nid: 1\nretry: 5\ndata: a\n\n', ['a']],
    ['data\n\n', ['']],
    ['\n\n\nevent: x\n\n', []],
    ['database: a\n\n', []],
    ['data: unfinished', []],
    ['data: unfinished\n', []],
  ])('reads %j', (text, events) => {
    expect(readEvents([text])).toEqual(events);
    expect(readEvents([...text])).toEqual(events);
  });

  it('returns the same events however the stream is split', () => {
    const lines = fc.constantFrom('data: {"a":1}', 'data:b', ': c', 'event: d', '', 'data', '\u{1F600}: é');
    const ends = fc.constantFrom('\n', '\r\n', '\r');
    const streams = fc.array(fc.tuple(lines, ends)).map((parts) => parts.flat().join(''));
    fc.assert(
      fc.property(
        streams.chain((text) => fc.tuple(fc.constant(text), splits(text))),
        ([text, chunks]) => {
          expect(readEvents(chunks)).toEqual(readEvents([text]));
        },
      ),
      { seed: 8 },
    );
  });

  it('returns the events that were written', () => {
    const data = fc.array(
      fc.array(
        fc.string().map((text) => text.replaceAll(/[\r\n]/g, '')),
        { minLength: 1 },
      ),
    );
    fc.assert(
      fc.property(data, (events) => {
        const text = events.map((lines) => `${lines.map((line) => `data: ${line}\n`).join('')}\n`).join('');
        expect(readEvents([text])).toEqual(events.map((lines) => lines.join('\n')));
      }),
      { seed: 8 },
    );
  });

  it('accepts any text but rejects an endless event', () => {
    const characters = fc.constantFrom(...'\r\n: data\0\uFEFF\uD800é');
    fc.assert(
      fc.property(fc.array(fc.string({ unit: characters })), (chunks) => void readEvents(chunks)),
      { seed: 8, numRuns: propertyRuns(1_000) },
    );
    const endless = (piece: string) => () => readEvents(Array.from({ length: 300 }, () => piece));
    expect(endless('a'.repeat(1_000))).toThrow(RangeError);
    expect(endless(`data: ${'a'.repeat(1_000)}\n`)).toThrow(RangeError);
    expect(endless(`data: ${'a'.repeat(1_000)}\n\n`)).not.toThrow();
  });
});
