import { expect, test } from 'vitest';
import { defaultSite, siteSetting } from './site.ts';

test("applies the operator's changes and leaves the rest unchanged", () => {
  const { clients, mediaOrder } = siteSetting.read('{"VISIONOS":{"version":"1.04"},"mediaOrder":["ANDROID"]}');
  expect(clients.VISIONOS).toEqual({ ...defaultSite.clients.VISIONOS, version: '1.04' });
  expect(clients.WEB).toEqual(defaultSite.clients.WEB);
  expect(mediaOrder).toEqual(['ANDROID']);
});

test.each([
  ['{', 'must be JSON'],
  ['[]', 'must be a JSON object'],
  ['{"TV":{}}', 'must only contain the clients'],
  ['{"WEB":1}', 'must have an object as WEB'],
  ['{"WEB":{"version":2}}', 'has an invalid WEB.version'],
  ['{"WEB":{"colour":"red"}}', 'contains the unknown member WEB.colour'],
  ['{"WEB":{"origin":"https://www.youtube.com/x"}}', 'must have an origin'],
  ['{"WEB":{"userAgent":"a\\nb"}}', 'has a line break'],
  ['{"mediaOrder":[]}', 'must have a list of clients'],
  ['{"mediaOrder":["TV"]}', 'must only contain the clients'],
])('rejects %s', (text, message) => expect(() => siteSetting.read(text)).toThrow(message));
