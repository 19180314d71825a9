import { expect, test } from 'vitest';
import { Audiences } from './subscribers.ts';

const partsOf = (audiences: Audiences<string>, count: number) =>
  Array.from({ length: count }, (_, index) => audiences.part(index));

test('all listeners of a job are in one part, and are found by the job', () => {
  const audiences = new Audiences<string>(4);
  for (const listener of ['a', 'b', 'c']) audiences.add('job', listener);
  expect(audiences.of('job')).toEqual(new Set(['a', 'b', 'c']));
  expect(partsOf(audiences, 4).filter((part) => part.has('job'))).toEqual([
    new Map([['job', new Set(['a', 'b', 'c'])]]),
  ]);
});

test('jobs are spread evenly over the parts, also after some have gone', () => {
  const audiences = new Audiences<string>(10);
  for (let job = 0; job < 1_000; job += 1) audiences.add(`job-${job}`, 'listener');
  for (const part of partsOf(audiences, 10)) expect(part.size).toBe(100);
  const [first] = partsOf(audiences, 10);
  for (const job of [...(first?.keys() ?? [])]) audiences.delete(job, 'listener');
  for (let job = 0; job < 100; job += 1) audiences.add(`late-${job}`, 'listener');
  for (const part of partsOf(audiences, 10)) expect(part.size).toBe(100);
});

test('nothing is left of a job when its last listener goes', () => {
  const audiences = new Audiences<string>(2);
  audiences.add('job', 'a');
  audiences.add('job', 'b');
  audiences.delete('job', 'a');
  expect(audiences.of('job')).toEqual(new Set(['b']));
  audiences.delete('job', 'b');
  audiences.delete('job', 'b');
  expect(audiences.of('job')).toBeUndefined();
  for (const part of partsOf(audiences, 2)) expect(part.size).toBe(0);
});
