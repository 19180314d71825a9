import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { filmOf } from './film.ts';
import { createScreen } from './screen.ts';
import { svgOf } from './svg.ts';

const esc = '\u001b';

function showScreen(text: string, columns = 20): string[] {
  const screen = createScreen(columns);
  screen.write(text);
  return screen.lines().map((line) => line.map((span) => span.text).join(''));
}

describe('the screen', () => {
  test('overwrites existing lines', () => {
    expect(showScreen('one\r\ntwo\rTWO and more\r\n')).toEqual(['one', 'TWO and more', '']);
    expect(showScreen(`10 %\r${esc}[K`)).toEqual(['']);
    expect(showScreen(`a bar\rA${esc}[K`)).toEqual(['A']);
    expect(showScreen(`spin${esc}[1G${esc}[0Kdone`)).toEqual(['done']);
  });

  test('breaks lines that are too long', () => {
    expect(showScreen('123456', 4)).toEqual(['1234', '56']);
    expect(showScreen('1234\r\n5', 4)).toEqual(['1234', '5']);
  });

  test('applies styles, and ignores unsupported sequences', () => {
    const screen = createScreen(40);
    screen.write(
      `${esc}]0;a title\u0007${esc}[?25l${esc}[1m${esc}[32mgood${esc}[39m bold${esc}[22m plain${esc}[0m\u0001`,
    );
    expect(screen.lines()).toEqual([
      [
        { text: 'good', style: 'bold green' },
        { text: ' bold', style: 'bold' },
        { text: ' plain', style: '' },
      ],
    ]);
  });
});

test('a film shows each line for as long as the terminal did, and cuts long pauses', () => {
  const film = filmOf(
    [
      { at: 0, text: '$ go\r\n' },
      { at: 500, text: '10 %' },
      { at: 9_500, text: '\r99 %' },
      { at: 9_600, text: `\r${esc}[Kdone\r\n` },
    ],
    20,
  );
  const plain = film.map(({ row, line, from, to }) => [row, line.map(({ text }) => text).join(''), from, to]);
  expect(plain.toSorted(([a], [b]) => Number(a) - Number(b))).toEqual([
    [0, '$ go', 0, undefined],
    [1, '10 %', 0.5, 1.7],
    [1, '99 %', 1.7, 1.8],
    [1, 'done', 1.8, undefined],
  ]);
});

test('an SVG contains terminal output only as escaped text', () => {
  const picture = svgOf(filmOf([{ at: 0, text: '</text><script>&' }], 40), 40, 'A <title>');
  expect(picture).toContain('>&lt;/text&gt;&lt;script&gt;&amp;</text>');
  expect(picture).toContain('<title>A &lt;title&gt;</title>');
});

test("the README's SVG is small and contains the whole session", async () => {
  const picture = await readFile(new URL('../../docs/images/session.svg', import.meta.url), 'utf8');
  expect(picture.length).toBeLessThan(60_000);
  expect(picture).toContain('npm run demo -- --stay');
  expect(picture).toMatch(/class="until".*The file was checked/);
  expect(picture).toMatch(/class="until".*data\/film\.mp4/);
});
