import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSealer } from '../../sealing/sealer.ts';
import type { ResultEvidence } from '../receipts/result-evidence.ts';
import { readRetainedResult, retainResult, writeResultRecord } from './retained-result.ts';

const sealer = createSealer(['a secret for these tests']);
const notes = [{ code: 'index_at_end', message: 'The index is at the end.' }] as const;

const hashed = { bytes: 7, sha256: 'a'.repeat(64) };
const evidence: ResultEvidence = {
  startedAt: '2026-11-26T04:00:00.000Z',
  exitCountry: 'FR',
  inputs: [[hashed], [{ ...hashed, sourceBytes: 9 }]],
  proof: { kind: 'unchanged' },
};

const { signal } = new AbortController();

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-retained-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Retains a result that is among the inputs, as in a job that stores a file unchanged. */
async function retain() {
  await mkdir(join(folder, 'inputs'));
  const path = join(folder, 'inputs', 'input-1.mp4');
  await writeFile(path, 'a film');
  await writeFile(join(folder, 'inputs', 'input-2'), 'fetched');
  const result = await retainResult(folder, {
    path,
    bytes: 6,
    notes,
    evidence,
  });
  await writeResultRecord('one', result, sealer, signal);
  return result;
}

test('returns a retained result for its job, and deletes everything else of the run', async () => {
  const result = await retain();
  expect(await readdir(folder)).toEqual(['kept']);
  expect(await readRetainedResult(folder, 'one', sealer, signal)).toEqual(result);
});

test('returns what the receipt of a retained result states, and a result of an earlier version without it', async () => {
  const result = await retain();
  expect((await readRetainedResult(folder, 'one', sealer, signal))?.evidence).toEqual(evidence);
  const { path, bytes } = result;
  await writeResultRecord('one', { path, bytes, notes }, sealer, signal);
  expect(await readRetainedResult(folder, 'one', sealer, signal)).toEqual({ path, bytes, notes });
});

test('deletes everything else before the result is moved', async () => {
  await mkdir(join(folder, 'inputs'));
  // With `result` before it, the extension is too long for a file name.
  const name = `a.${'b'.repeat(250)}`;
  const path = join(folder, 'inputs', name);
  await writeFile(path, 'a film');
  await writeFile(join(folder, 'inputs', 'input-2'), 'fetched');
  await writeFile(join(folder, 'half.mp4'), 'half');
  await expect(retainResult(folder, { path, bytes: 6, notes })).rejects.toThrow('ENAMETOOLONG');
  expect([(await readdir(folder)).sort(), await readdir(join(folder, 'inputs'))]).toEqual([['inputs', 'kept'], [name]]);
});

test('leaves a retained result in place when it is retained again', async () => {
  const result = await retain();
  expect(await retainResult(folder, result)).toEqual(result);
  expect(await readRetainedResult(folder, 'one', sealer, signal)).toEqual(result);
});

test.each([
  ['nothing was retained', async () => undefined],
  ['the file is gone', async () => rm((await retain()).path)],
  ['the file was changed', async () => writeFile((await retain()).path, 'a fi1m')],
  ['the file was cut off', async () => writeFile((await retain()).path, 'a f')],
  [
    'the file is a link',
    async () => {
      const { path } = await retain();
      await writeFile(join(folder, 'other'), 'a film');
      await rm(path);
      await symlink(join(folder, 'other'), path);
    },
  ],
  [
    'the record was made up',
    async () => {
      await retain();
      await writeFile(join(folder, 'kept', 'record'), JSON.stringify({ job: 'one', name: 'result.mp4', bytes: 6 }));
    },
  ],
  [
    'the record is of another purpose',
    async () => {
      await retain();
      await writeFile(join(folder, 'kept', 'record'), sealer.seal('file-link', { key: 'one' }));
    },
  ],
])('returns undefined when %s', async (_what, prepare) => {
  await prepare();
  expect(await readRetainedResult(folder, 'one', sealer, signal)).toBeUndefined();
});

test('does not return the result of another job, or one sealed with an unknown secret', async () => {
  await retain();
  expect(await readRetainedResult(folder, 'two', sealer, signal)).toBeUndefined();
  expect(await readRetainedResult(folder, 'one', createSealer(['another secret for tests']), signal)).toBeUndefined();
});

test('stops hashing when its signal is aborted', async () => {
  const result = await retain();
  const aborted = AbortSignal.abort();
  await expect(writeResultRecord('one', result, sealer, aborted)).rejects.toThrow('aborted');
  await expect(readRetainedResult(folder, 'one', sealer, aborted)).rejects.toThrow('aborted');
});
