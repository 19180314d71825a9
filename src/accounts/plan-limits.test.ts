import { expect, test } from 'vitest';
import { plans } from '../contract/subscription-plans.ts';
import { readPlanLimits } from './plan-limits.ts';

test('readPlanLimits changes only the named limits', () => {
  const changed = readPlanLimits(
    '{"BASIC":{"credits":1000,"storedSize":5e12},"MEGA":{"requestsPerSecond":40,"jobsAtOnce":1}}',
  );
  expect(changed).toEqual({
    ...plans,
    BASIC: { ...plans.BASIC, credits: 1000, storedSize: 5e12 },
    MEGA: { ...plans.MEGA, requestsPerSecond: 40, jobsAtOnce: 1 },
  });
});

test.each([
  ['{', 'must be JSON'],
  ['[]', 'must be a JSON object'],
  ['null', 'must be a JSON object'],
  ['{"GIGA":{}}', 'contains the unknown plan GIGA'],
  ['{"BASIC":5}', 'must have an object for BASIC'],
  ['{"BASIC":{"renderSize":5}}', 'contains the unknown limit BASIC.renderSize'],
  ['{"BASIC":{"credits":0}}', 'whole number'],
  ['{"BASIC":{"credits":1.5}}', 'whole number'],
  ['{"BASIC":{"credits":"5"}}', 'whole number'],
  ['{"BASIC":{"credits":2e9}}', 'whole number'],
  ['{"BASIC":{"storedSize":1e16}}', 'whole number'],
])('readPlanLimits rejects %s', (json, message) => {
  expect(() => readPlanLimits(json)).toThrow(message);
});
