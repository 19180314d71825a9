import { expect, test } from 'vitest';
import { integer } from './readers.ts';
import { setting } from './setting.ts';

test('reads a default like a text that was set', () => {
  const port = setting({ description: 'A port.', default: '8080', read: integer(0, 65_535) });
  expect(port.fallback()).toBe(8080);
  expect(port.default).toBe('`8080`');
});

test('keeps the words for a default that no text expresses', () => {
  const port = setting({
    description: 'A port.',
    default: 'none',
    fallback: () => undefined,
    read: integer(0, 65_535),
  });
  expect(port.fallback()).toBeUndefined();
  expect(port.default).toBe('none');
});
