import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MillraceError } from '../../../contract/errors.ts';
import { propertyRuns } from '../../../testing/property-runs.ts';
import { parseTranscript } from './transcript-segments.ts';

const readEvents = (events: unknown, kind: 'manual' | 'auto' = 'manual') =>
  parseTranscript(JSON.stringify({ events }), 200, kind);
const line = (tStartMs: number, dDurationMs: number, ...parts: string[]) => ({
  tStartMs,
  dDurationMs,
  segs: parts.map((utf8) => ({ utf8 })),
});

describe('a transcript', () => {
  it('consists of its lines', () => {
    expect(
      readEvents([
        { tStartMs: 0, dDurationMs: 9 },
        line(10, 20, 'Hello', ' there'),
        line(30, 5, '\n'),
        7,
        line(40, 5, ' x '),
      ]),
    ).toEqual([
      { startMs: 10, durationMs: 20, text: 'Hello there' },
      { startMs: 40, durationMs: 5, text: 'x' },
    ]);
    expect(readEvents(undefined)).toEqual([]);
  });

  it('from speech recognition ends each line when the next begins', () => {
    const events = [
      line(0, 5_130, 'one'),
      { ...line(2_990, 2_140, '\n'), aAppend: 1 },
      line(3_000, 4_490, 'two'),
      line(9_000, 10, 'three'),
    ];
    expect(readEvents(events, 'auto').map(({ durationMs }) => durationMs)).toEqual([3_000, 4_490, 10]);
    expect(readEvents(events).map(({ durationMs }) => durationMs)).toEqual([5_130, 4_490, 10]);
  });

  it.each<[string, string, number, string]>([
    ['nothing', '', 200, 'non_2xx_response'],
    ['a status', '', 429, 'non_2xx_response'],
    ['a page', '<html>', 200, 'invalid_response_data'],
    ['a list', '[]', 200, 'invalid_response_data'],
    ['other events', '{"events":7}', 200, 'invalid_response_data'],
  ])('that is %s causes an error', (_name, body, status, code) => {
    expect(() => parseTranscript(body, status, 'auto')).toThrow(expect.objectContaining({ code }));
  });

  it('of arbitrary content is parsed or rejected', () => {
    const part = fc.record({ utf8: fc.oneof(fc.string(), fc.integer()) }, { requiredKeys: [] });
    const number = fc.oneof(fc.integer(), fc.double(), fc.string());
    const event = fc.record(
      { tStartMs: number, dDurationMs: number, segs: fc.array(part), aAppend: fc.integer() },
      { requiredKeys: [] },
    );
    const body = fc.oneof(
      fc.record({ events: fc.array(fc.oneof(event, fc.jsonValue())) }).map((one) => JSON.stringify(one)),
      fc.json(),
      fc.string(),
    );
    fc.assert(
      fc.property(body, fc.constantFrom('manual', 'auto'), (text, kind) => {
        try {
          for (const segment of parseTranscript(text, 200, kind)) {
            expect(segment.text).not.toBe('');
            expect(segment.startMs).toBeGreaterThanOrEqual(0);
            expect(segment.durationMs).toBeGreaterThanOrEqual(0);
          }
        } catch (error) {
          expect(error).toBeInstanceOf(MillraceError);
        }
      }),
      { seed: 8, numRuns: propertyRuns(500) },
    );
  });
});
