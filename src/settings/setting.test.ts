import { expect, test } from 'vitest';
import { integer } from './readers.ts';
import { setting } from './setting.ts';

test('a setting reads its default like a configured text', () => {
  const port = setting({ description: 'A port.', default: '8080', read: integer(0, 65_535) });
  expect(port.fallback()).toBe(8080);
  expect(port.default).toBe('`8080`');
});

test('a setting describes its default in words if no text can express it', () => {
  const port = setting({
    description: 'A port.',
    default: 'none',
    fallback: () => undefined,
    read: integer(0, 65_535),
  });
  expect(port.fallback()).toBeUndefined();
  expect(port.default).toBe('none');
});
