import { expect, test } from 'vitest';
import { mapWorlds, worldFor } from './worlds.ts';

test('a test key without the lab gets an error that names the setting, and never the live world', () => {
  expect(worldFor({ live: 'internet', test: 'lab' }, true)).toBe('lab');
  expect(worldFor({ live: 'internet' }, false)).toBe('internet');
  expect(() => worldFor({ live: 'internet' }, true)).toThrow(/LAB=on/);
  expect(mapWorlds({ live: 1 }, String)).toEqual({ live: '1' });
  expect(mapWorlds({ live: 1, test: 2 }, String)).toEqual({ live: '1', test: '2' });
});
