import { expect, test } from 'vitest';
import { createStageWriter, type EnteredStage } from './stage-writer.ts';

const { signal } = new AbortController();
const never = 2 ** 30;

/** Creates a writer, its list of writes, and a promise of the first write. */
function make(valid: () => boolean, delay: number) {
  const stagesWritten: EnteredStage[] = [];
  const first = Promise.withResolvers<void>();
  const write = async (stage: EnteredStage) => {
    stagesWritten.push(stage);
    first.resolve();
    return valid();
  };
  return { stages: createStageWriter(write, signal, delay), stagesWritten, first: first.promise };
}

test('writes a stage that lasts', async () => {
  const { stages, stagesWritten, first } = make(() => true, 0);
  await stages.enter('processing');
  await first;
  await stages.close();
  expect(stagesWritten).toEqual(['processing']);
});

test('does not write a stage that ends immediately', async () => {
  const { stages, stagesWritten } = make(() => true, never);
  expect(await stages.enter('processing')).toBe(true);
  expect(await stages.enter('uploading_output')).toBe(true);
  await stages.close();
  expect(stagesWritten).toEqual([]);
});

test('detects at the next stage that a run has ended', async () => {
  const { stages, first } = make(() => false, 0);
  await stages.enter('processing');
  await first;
  expect(await stages.enter('uploading_output')).toBe(false);
  await stages.close();
});

test('throws the error of a failed write at the next stage', async () => {
  const { stages, first } = make(() => {
    throw new Error('the database is away');
  }, 0);
  await stages.enter('processing');
  await first;
  await expect(stages.enter('uploading_output')).rejects.toThrow('the database is away');
});

test('writes nothing after the run is aborted', async () => {
  const abort = new AbortController();
  const stagesWritten: EnteredStage[] = [];
  const stages = createStageWriter(async (stage) => stagesWritten.push(stage) > 0, abort.signal, never);
  await stages.enter('processing');
  abort.abort(new Error('the worker stops'));
  await stages.close();
  expect(stagesWritten).toEqual([]);
});
