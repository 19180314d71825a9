import { expect, test } from 'vitest';
import { parseChoice } from './parse-choice.ts';

test.each([
  ['{"kind":"video","label":"720p"}', { kind: 'video', label: '720p' }],
  ['{"kind":"audio","label":"mp3","more":1}', { kind: 'audio', label: 'mp3' }],
  ['{"kind":"image","label":"x"}', undefined],
  ['{"kind":"video"}', undefined],
  [`{"kind":"video","label":"${'x'.repeat(41)}"}`, undefined],
  ['[]', undefined],
  ['7', undefined],
  ['{', undefined],
  [null, undefined],
])('the stored text %s is the choice %j', (text, choice) => {
  expect(parseChoice(text)).toEqual(choice);
});
