import type { Shot } from './film.ts';
import type { Span } from './screen.ts';

const FONT_SIZE = 14;
const COLUMN_WIDTH = FONT_SIZE * 0.6;
const LINE_HEIGHT = 20;
const MARGIN = 16;

/**
 * Returns an animated SVG of a terminal session, which plays once and then shows the last state. If the viewer does not
 * support animation or the user prefers reduced motion, it shows the last state immediately.
 *
 * @param title A description for people who cannot see the image.
 */
export function svgOf(shots: readonly Shot[], columns: number, title: string): string {
  const rows = Math.max(...shots.map(({ row }) => row)) + 1;
  const width = Math.ceil(columns * COLUMN_WIDTH + 2 * MARGIN);
  const height = rows * LINE_HEIGHT + 2 * MARGIN;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" role="img">
<title>${escapeXml(title)}</title>
<style>
text { font: ${FONT_SIZE}px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre; fill: #d5dce4 }
.bold { font-weight: bold } .dim { opacity: .6 }
.red { fill: #ff7b72 } .green { fill: #56d364 } .yellow { fill: #e3b341 }
.blue { fill: #79c0ff } .magenta { fill: #d2a8ff } .cyan { fill: #76e3ea } .white { fill: #fff } .black { fill: #6e7681 }
.while { visibility: hidden }
@media (prefers-reduced-motion: no-preference) {
.while { animation: shown calc(var(--to) - var(--from)) var(--from) }
.until { animation: hidden var(--from) }
}
@keyframes shown { from, to { visibility: visible } }
@keyframes hidden { from, to { visibility: hidden } }
</style>
<rect width="100%" height="100%" rx="8" fill="#0f1720"/>
${shots.map(textOf).join('\n')}
</svg>
`;
}

function textOf({ row, line, from, to }: Shot): string {
  const y = MARGIN + row * LINE_HEIGHT + FONT_SIZE;
  const times = [`--from:${seconds(from)}`, ...(to === undefined ? [] : [`--to:${seconds(to)}`])].join(';');
  const kind = to === undefined ? 'until' : 'while';
  return `<text class="${kind}" style="${times}" x="${MARGIN}" y="${y}">${line.map(spanOf).join('')}</text>`;
}

const seconds = (time: number) => `${Number(time.toFixed(2))}s`;

function spanOf({ text, style }: Span): string {
  return style === '' ? escapeXml(text) : `<tspan class="${style}">${escapeXml(text)}</tspan>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
