import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { GrowingFiles, reportArrivedRanges } from './growing-files.ts';

const always = () => true;
const nothing = { bytes: 0, whole: false };

describe('reports of arrived ranges', () => {
  it('are sent to a child line by line, beginning with the current state', async () => {
    const growingFiles = new GrowingFiles([{ bytes: 5, whole: false }, nothing]);
    const child = new PassThrough();
    reportArrivedRanges(growingFiles, child, always);
    growingFiles.report(1, { bytes: 7, whole: true });
    child.end();
    expect((await child.toArray()).map((line) => JSON.parse(`${line}`))).toEqual([
      { file: 0, bytes: 5, whole: false },
      { file: 1, bytes: 0, whole: false },
      { file: 1, bytes: 7, whole: true },
    ]);
  });

  it('contain the end of each segment once', async () => {
    const growingFiles = new GrowingFiles([{ ...nothing, ends: [] }]);
    const child = new PassThrough();
    reportArrivedRanges(growingFiles, child, always);
    growingFiles.report(0, { bytes: 5, whole: false, ends: [2, 5] });
    growingFiles.report(0, { bytes: 9, whole: true, ends: [2, 5, 9] });
    child.end();
    expect((await child.toArray()).map((line) => JSON.parse(`${line}`))).toEqual([
      { file: 0, bytes: 0, whole: false },
      { file: 0, bytes: 5, whole: false, ends: [2, 5] },
      { file: 0, bytes: 9, whole: true, ends: [9] },
    ]);
  });

  it('do not pile up if the child is slow: it receives the latest state', () => {
    const chunks: string[] = [];
    let go: () => void = () => undefined;
    const slow = new Writable({
      highWaterMark: 1,
      write(chunk, _encoding, callback) {
        chunks.push(`${chunk}`);
        go = callback;
      },
    });
    const growingFiles = new GrowingFiles([nothing]);
    reportArrivedRanges(growingFiles, slow, always);
    for (let bytes = 1; bytes <= 1000; bytes += 1) growingFiles.report(0, { bytes, whole: bytes === 1000 });
    expect(chunks).toHaveLength(1);
    const drain = new Promise((resolve) => slow.once('drain', resolve));
    go();
    return drain.then(() => expect(chunks.slice(1)).toEqual(['{"file":0,"bytes":1000,"whole":true}\n']));
  });

  it('omit an input that the child cannot read yet', () => {
    const growingFiles = new GrowingFiles([{ bytes: 5, whole: false }]);
    const child = new PassThrough();
    let isReadable = false;
    reportArrivedRanges(growingFiles, child, () => isReadable);
    expect(child.read()).toBeNull();
    isReadable = true;
    growingFiles.report(0, { bytes: 5, whole: false });
    expect(`${child.read()}`).toBe('{"file":0,"bytes":5,"whole":false}\n');
  });

  it('end when the subscription ends', () => {
    const growingFiles = new GrowingFiles([nothing]);
    const child = new PassThrough();
    reportArrivedRanges(growingFiles, child, always)();
    child.read();
    growingFiles.report(0, { bytes: 1, whole: true });
    expect(child.read()).toBeNull();
    expect(growingFiles.whole).toBe(true);
  });
});
