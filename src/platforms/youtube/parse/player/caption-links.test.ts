import { describe, expect, it } from 'vitest';
import { sourceCaptionsOf } from './caption-links.ts';
import type { CaptionTrack } from './captions.ts';

const track = (members: Partial<CaptionTrack>): CaptionTrack => ({
  language: 'en',
  kind: 'manual',
  translatable: true,
  url: 'https://www.youtube.com/api/timedtext?v=a&lang=en&fmt=srv3&xosf=1&tlang=fr',
  ...members,
});

describe('captions to embed', () => {
  it('are JSON in their own language and without styles', () => {
    expect(sourceCaptionsOf([track({ name: 'English' })], 'UA')).toEqual([
      {
        url: 'https://www.youtube.com/api/timedtext?v=a&lang=en&fmt=json3',
        format: 'json3',
        language: 'en',
        title: 'English',
        automatic: false,
        headers: { 'user-agent': 'UA' },
      },
    ]);
  });

  it('have a valid language tag', () => {
    const languages = ['en-nP7-2PuUl7o', 'pt_BR', 'zh-Hans-TW', 'es-419', '', 'x', 'english', 'iw'];
    const captions = sourceCaptionsOf(
      languages.map((language) => track({ language })),
      'UA',
    );
    expect(captions.map(({ language }) => language)).toEqual(['en', 'pt-BR', 'zh-Hans-TW', 'es-419', 'iw']);
  });

  it('are marked if they come from speech recognition, or need the site’s player', () => {
    const url = 'https://www.youtube.com/api/timedtext?v=a&exp=xpe';
    expect(sourceCaptionsOf([track({ kind: 'auto' }), track({ url })], 'UA')).toMatchObject([
      { automatic: true },
      { automatic: false, playerOnly: true },
    ]);
  });
});
