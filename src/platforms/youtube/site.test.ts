import { expect, test } from 'vitest';
import { defaultSite, siteSetting } from './site.ts';

test('changes what is named and keeps the rest', () => {
  const { clients, mediaOrder } = siteSetting.read('{"VISIONOS":{"version":"1.04"},"mediaOrder":["ANDROID"]}');
  expect(clients.VISIONOS).toEqual({ ...defaultSite.clients.VISIONOS, version: '1.04' });
  expect(clients.WEB).toEqual(defaultSite.clients.WEB);
  expect(mediaOrder).toEqual(['ANDROID']);
});

test.each([
  ['{', 'must be JSON'],
  ['[]', 'must be a JSON object'],
  ['{"TV":{}}', 'must name clients'],
  ['{"WEB":1}', 'must have an object as WEB'],
  ['{"WEB":{"version":2}}', 'has a wrong WEB.version'],
  ['{"WEB":{"colour":"red"}}', 'knows no WEB.colour'],
  ['{"WEB":{"origin":"https://www.youtube.com/x"}}', 'must have an origin'],
  ['{"WEB":{"userAgent":"a\\nb"}}', 'has a line break'],
  ['{"mediaOrder":[]}', 'must have a list of clients'],
  ['{"mediaOrder":["TV"]}', 'must name clients'],
])('refuses %s', (text, message) => expect(() => siteSetting.read(text)).toThrow(message));
