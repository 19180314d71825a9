import { expect, test } from 'vitest';
import { Subscribers } from './subscribers.ts';

const groupsOf = (subscribers: Subscribers<string>, count: number) =>
  Array.from({ length: count }, (_, index) => subscribers.group(index));

test('puts all listeners of a job into one group, and finds them by the job', () => {
  const subscribers = new Subscribers<string>(4);
  for (const listener of ['a', 'b', 'c']) subscribers.add('job', listener);
  expect(subscribers.of('job')).toEqual(new Set(['a', 'b', 'c']));
  expect(groupsOf(subscribers, 4).filter((group) => group.has('job'))).toEqual([
    new Map([['job', new Set(['a', 'b', 'c'])]]),
  ]);
});

test('spreads jobs evenly over the groups, even after some were removed', () => {
  const subscribers = new Subscribers<string>(10);
  for (let job = 0; job < 1_000; job += 1) subscribers.add(`job-${job}`, 'listener');
  for (const group of groupsOf(subscribers, 10)) expect(group.size).toBe(100);
  const [first] = groupsOf(subscribers, 10);
  for (const job of [...(first?.keys() ?? [])]) subscribers.delete(job, 'listener');
  for (let job = 0; job < 100; job += 1) subscribers.add(`late-${job}`, 'listener');
  for (const group of groupsOf(subscribers, 10)) expect(group.size).toBe(100);
});

test('removes a job with its last listener', () => {
  const subscribers = new Subscribers<string>(2);
  subscribers.add('job', 'a');
  subscribers.add('job', 'b');
  subscribers.delete('job', 'a');
  expect(subscribers.of('job')).toEqual(new Set(['b']));
  subscribers.delete('job', 'b');
  subscribers.delete('job', 'b');
  expect(subscribers.of('job')).toBeUndefined();
  for (const group of groupsOf(subscribers, 2)) expect(group.size).toBe(0);
});
