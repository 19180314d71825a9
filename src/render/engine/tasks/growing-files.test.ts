import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { GrowingFiles, reportArrivedRanges } from './growing-files.ts';

const always = () => true;
const nothing = { bytes: 0, whole: false };

describe('how inputs grow', () => {
  it('is told to a child line by line, what is true already first', async () => {
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

  it('tells where pieces end once each', async () => {
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

  it('does not pile up before a child that is slow to hear: it is told what is true then', () => {
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

  it('is not told of an input that the child cannot read yet', () => {
    const growingFiles = new GrowingFiles([{ bytes: 5, whole: false }]);
    const child = new PassThrough();
    let isReadable = false;
    reportArrivedRanges(growingFiles, child, () => isReadable);
    expect(child.read()).toBeNull();
    isReadable = true;
    growingFiles.report(0, { bytes: 5, whole: false });
    expect(`${child.read()}`).toBe('{"file":0,"bytes":5,"whole":false}\n');
  });

  it('is told no longer when nobody listens', () => {
    const growingFiles = new GrowingFiles([nothing]);
    const child = new PassThrough();
    reportArrivedRanges(growingFiles, child, always)();
    child.read();
    growingFiles.report(0, { bytes: 1, whole: true });
    expect(child.read()).toBeNull();
    expect(growingFiles.whole).toBe(true);
  });
});
