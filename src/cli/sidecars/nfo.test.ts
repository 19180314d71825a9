import { expect, test } from 'vitest';
import { nfoText } from './nfo.ts';

test('an NFO file describes a video', () => {
  const metadata = {
    title: 'Bridges',
    thumbnailUrl: 'https://i.example/a.jpg?x=1&y=2',
    author: { name: 'The Lab' },
    additionalData: {
      description: 'All about <bridges>.\nMore & more.',
      publishedAt: '2026-10-17T00:00:00+00:00',
      duration: 90,
      category: 'Education',
    },
  };
  expect(nfoText({ platform: 'YouTube', id: 'lab-plain30', title: 'Bridges', metadata })).toBe(
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<movie>
  <title>Bridges</title>
  <plot>All about &lt;bridges&gt;.
More &amp; more.</plot>
  <studio>The Lab</studio>
  <credits>The Lab</credits>
  <premiered>2026-10-17</premiered>
  <year>2026</year>
  <runtime>2</runtime>
  <genre>Education</genre>
  <thumb>https://i.example/a.jpg?x=1&amp;y=2</thumb>
  <uniqueid type="youtube" default="true">lab-plain30</uniqueid>
</movie>
`,
  );
});

test('an NFO file contains no characters that XML forbids, and no text without end', () => {
  const text = nfoText({
    platform: 'p"1',
    id: '<id>',
    title: `a\u0000\u001b\ud800]]>${'x'.repeat(9000)}`,
    metadata: {},
  });
  expect(text).toContain('<title>a\ufffd]]&gt;xxx');
  expect(text).toContain('<uniqueid type="p&quot;1" default="true">&lt;id&gt;</uniqueid>');
  expect(text.length).toBeLessThan(6000);
});
