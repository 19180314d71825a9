import { expect, test } from 'vitest';
import { createSealer } from './sealer.ts';
import { createSealers, isTestLink, sealerFor, sealerOfLink } from './sealers.ts';

const sealers = createSealers(['the first secret', 'an older secret']);

test('a text of one world cannot be opened in the other', () => {
  const live = sealers.live.seal('relay-link', 1);
  const ofTest = sealers.test.seal('relay-link', 2);
  expect([sealers.live.open('relay-link', live), sealers.test.open('relay-link', live)]).toEqual([1, undefined]);
  expect([sealers.live.open('relay-link', ofTest), sealers.test.open('relay-link', ofTest)]).toEqual([undefined, 2]);
});

test('the live sealer is the one of versions without test keys', () => {
  expect(sealers.live.open('page-token', createSealer(['the first secret']).seal('page-token', 1))).toBe(1);
});

test('the test secrets rotate with the signing secrets', () => {
  const older = createSealers(['an older secret']).test.seal('file-link', 1);
  expect(sealers.test.open('file-link', older)).toBe(1);
  expect(createSealers(['the first secret']).test.open('file-link', older)).toBeUndefined();
});

test('a link without a key belongs to the world whose sealer opens it for its purpose', () => {
  const ofTest = sealers.test.seal('file-link', 1);
  expect(isTestLink(sealers, 'file-link', ofTest)).toBe(true);
  expect(isTestLink(sealers, 'relay-link', ofTest)).toBe(false);
  expect(sealerOfLink(sealers, 'file-link', ofTest)).toBe(sealers.test);
  expect(sealerOfLink(sealers, 'file-link', sealers.live.seal('file-link', 1))).toBe(sealers.live);
  expect(sealerOfLink(sealers, 'file-link', 'forged')).toBe(sealers.live);
  expect([sealerFor(sealers, false), sealerFor(sealers, true)]).toEqual([sealers.live, sealers.test]);
});
