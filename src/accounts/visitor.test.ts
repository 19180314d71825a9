import { expect, test } from 'vitest';
import { networksOfVisitor, visitorIdOf } from './visitor.ts';

const networksOf = (...networks: string[]) => networksOfVisitor(visitorIdOf(networks, 'secret'));

test('visitors share the IDs of the networks that they share', () => {
  const [small, middle, wide] = networksOf('small', 'middle', 'wide');
  expect(networksOf('small', 'middle', 'wide')).toEqual([small, middle, wide]);
  expect(networksOf('other', 'middle', 'wide')).toEqual([expect.not.stringContaining(`${small}`), middle, wide]);
  expect(networksOf('other', 'other', 'wide').slice(1)).toEqual([expect.not.stringContaining(`${middle}`), wide]);
  expect(networksOf('other', 'other', 'other')).not.toContain(wide);
});

test('an ID tells no address, and depends on the secret', () => {
  const networks = ['203.0.113.1'];
  const id = visitorIdOf(networks, 'secret');
  expect(id).toMatch(/^[\w-]{16}$/);
  expect(visitorIdOf(networks, 'other')).not.toBe(id);
  expect(visitorIdOf(['small', 'middle', 'wide'], 'secret')).toMatch(/^[\w-]{16}(?:\.[\w-]{16}){2}$/);
});

test('the ID of a former version, which is one pseudonym, is that of one network', () => {
  expect(networksOfVisitor('AAAAAAAAAAAAAAA_')).toEqual(['AAAAAAAAAAAAAAA_']);
});
