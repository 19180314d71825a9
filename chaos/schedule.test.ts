import { expect, test } from 'vitest';
import { faultNamed, faults } from './faults.ts';
import { durationOf, schedulePoints, scheduleShort } from './schedule.ts';
import { stages } from './stages.ts';

test('schedules the same points for the same seed, and others for another seed', () => {
  expect(schedulePoints(7, 100)).toEqual(schedulePoints(7, 100));
  expect(schedulePoints(7, 100)).not.toEqual(schedulePoints(8, 100).map((point) => ({ ...point, seed: 7 })));
});

test('schedules the same first points, however many follow', () => {
  expect(schedulePoints(7, 100).slice(0, 17)).toEqual(schedulePoints(7, 17));
});

test('schedules every fault at several stages, and every stage about equally often', () => {
  const points = schedulePoints(1, 6 * Object.keys(faults).length);
  for (const name of Object.keys(faults)) {
    const stagesOf = new Set(points.filter(({ fault }) => fault === name).map(({ stage }) => stage));
    expect(stagesOf.size, name).toBeGreaterThanOrEqual(5);
  }
  for (const name of Object.keys(stages)) {
    const share = Math.floor(points.length / Object.keys(stages).length);
    expect(points.filter(({ stage }) => stage === name).length, name).toBeGreaterThanOrEqual(share - 1);
  }
});

test.each([schedulePoints(3, 200), scheduleShort(3)])(
  'schedules faults of one store only on that store, and about the same number of points on each store',
  (...points) => {
    for (const { fault, store } of points) expect(faultNamed(fault).store ?? store).toBe(store);
    const onDisk = points.filter(({ store }) => store === 'disk').length / points.length;
    expect(onDisk).toBeGreaterThan(0.35);
    expect(onDisk).toBeLessThan(0.65);
  },
);

test('keeps the duration of each fault within its bounds, and below the limit in the short form', () => {
  for (const point of schedulePoints(5, 200)) {
    const [, least, most] = faultNamed(point.fault).durations;
    expect(durationOf(point) / 1000).toBeGreaterThanOrEqual(least);
    expect(durationOf(point) / 1000).toBeLessThanOrEqual(most);
  }
  for (const point of scheduleShort(5)) expect(durationOf(point)).toBeLessThanOrEqual(33_000);
});
