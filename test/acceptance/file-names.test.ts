import { describe, expect, inject, test } from 'vitest';
import { describeJob, run } from '../support/http-client.ts';
import { labFile } from '../support/lab-client.ts';

const service = inject('serviceUrl');

/** Renders a file under a name. Returns its names in its link and in its headers. */
async function namesOf(downloadName: string): Promise<(string | undefined)[]> {
  const input = { url: labFile('/media/amber-2/sound.m4a').url, ext: 'm4a' };
  const { output } = await run(
    service,
    describeJob('no_process', [input], 'm4a', { output: { ext: 'm4a', downloadName } }),
  );
  const url = new URL(output?.url ?? '');
  const { headers } = await fetch(url, { method: 'HEAD' });
  const disposition = headers.get('content-disposition') ?? '';
  // Names in ASCII are not written in this form (RFC 6266 appendix D).
  const [, inHeader] = /filename\*=UTF-8''(\S+)$/.exec(disposition) ?? /filename="?([^"]+)"?$/.exec(disposition) ?? [];
  return [url.pathname.split('/').at(-1), inHeader].map((name) => name && decodeURIComponent(name));
}

const family = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}';

describe('the name of a file', () => {
  test.each([
    ['an emoji family', `Us ${family}`],
    ['an emoji with a skin colour and a joiner', '\u{1f469}\u{1f3fd}\u200d\u{1f692}'],
    [
      'the flags of France and Scotland',
      '\u{1f1eb}\u{1f1f7} \u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
    ],
    ['a Persian word with a non-joiner', 'می\u200cخواهم'],
    ['a Hindi word with a joiner', 'क्\u200dष'],
    ['a Malayalam word with a non-joiner', 'അവന്\u200cറെ'],
    ['characters that are newer than the runtime', 'new \u{1fae9}\u{323b0}\u{1fc00}'],
  ])('keeps %s', async (_what, name) => {
    const saved = `${name.normalize('NFC')}.m4a`;
    expect(await namesOf(name)).toEqual([saved, saved]);
  });

  test.each([
    ['is cut between characters as people count them', family.repeat(20), family.repeat(9)],
    ['ends in no dot or space', 'a. . .', 'a'],
    ['ends in no dot or space if it was cut', `${'a'.repeat(173)} . bcd`, 'a'.repeat(173)],
  ])('%s', async (_what, name, expected) => {
    expect(await namesOf(name)).toEqual([`${expected}.m4a`, `${expected}.m4a`]);
  });
});
