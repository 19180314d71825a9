import { expect, test } from 'vitest';
import { MillraceError } from '../contract/errors.ts';
import { type LinkParameter, readLinkParameter } from './link-parameter.ts';

const options: LinkParameter<string> = {
  name: 'videoId',
  site: 'Tube',
  ofText: (text) => (/^x\d+$/.test(text) ? text : undefined),
  isOfSite: ({ hostname }) => hostname === 'tube.example',
  ofLink: ({ pathname }) => /^\/video\/(x\d+)$/.exec(pathname)?.[1],
  expected: "a video's ID or link",
  purpose: 'lead to a video',
};

test.each([
  [' x1 ', 'x1'],
  ['https://tube.example/video/x2', 'x2'],
  ['tube.example/video/x2', 'x2'],
  ['Look (https://tube.example/video/x3)!', 'x3'],
  ['https://other.example/video/x1 https://tube.example/about https://tube.example/video/x4', 'x4'],
])('%j is %j', (text, value) => expect(readLinkParameter(text, options)).toBe(value));

test.each([
  ['nothing', 'invalid_params', "videoId must be a video's ID or link."],
  ['https://tube.example/about', 'invalid_url', 'The link in videoId does not lead to a video.'],
  [
    'https://other.example/video/x1',
    'invalid_platform_url',
    'The link in videoId leads to another platform. Send a link to Tube.',
  ],
  [
    'https://tube.example:81/video/x1',
    'invalid_platform_url',
    'The link in videoId leads to another platform. Send a link to Tube.',
  ],
])('%j is refused with %s', (text, code, message) => {
  expect(() => readLinkParameter(text, options)).toThrow(MillraceError);
  expect(() => readLinkParameter(text, options)).toThrow(
    expect.objectContaining({ code, message, parameter: 'videoId' }),
  );
});

test('a text without a link can be refused with invalid_url', () => {
  const urlOptions = { ...options, codeWithoutLink: 'invalid_url' } as const;
  expect(() => readLinkParameter('nothing', urlOptions)).toThrow(expect.objectContaining({ code: 'invalid_url' }));
});
