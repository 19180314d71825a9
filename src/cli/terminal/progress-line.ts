import { styleText } from 'node:util';
import { sizeText } from '../../contract/size-text.ts';
import { sanitiseLine } from './sanitise.ts';
import { textWidth, truncate } from './table.ts';
import { clockTime } from './time-text.ts';

/** A step of the work, with its progress. */
export interface Step {
  /** Its name: `rendering: processing`, `saving`. */
  readonly stage: string;
  /** What the step works on, if there are several; it is shortened to the width that the progress leaves. */
  readonly name?: string;
  /** The completed fraction, 0 to 1, if known. */
  readonly fraction?: number | undefined;
  /** Transferred and total bytes, if it transfers bytes. */
  readonly bytes?: number | undefined;
  readonly total?: number | undefined;
}

const MAX_BAR_WIDTH = 24;

/** Cells of a name. */
const nameCells = { min: 10, max: 32 } as const;

/** Returns the completed fraction of a step, 0 to 1; undefined if it is unknown. */
export function fractionOf({ fraction, bytes, total }: Step): number | undefined {
  if (bytes !== undefined && total !== undefined && total > 0) return Math.min(1, bytes / total);
  return fraction;
}

/**
 * Returns the line for a step. If it is too long for the available width, the bar is dropped first, then the end of the
 * name, then the last figures.
 *
 * @param rate Its speed in bytes or fractions per second, if known.
 */
export function progressLine(step: Step, rate: number | undefined, stream: NodeJS.WriteStream): string {
  const fraction = fractionOf(step);
  const width = Math.max(20, stream.columns || 80) - 1;
  const stage = sanitiseLine(step.stage);
  const name = step.name === undefined ? '' : sanitiseLine(step.name);
  const reserved = name === '' ? 0 : Math.min(textWidth(name), nameCells.min) + 2;
  const progress = fitting([stage, ...figuresOf(step, fraction, rate)], width - reserved);
  const room = Math.max(nameCells.min, Math.min(nameCells.max, width - textWidth(progress) - 2));
  const text = name === '' ? progress : `${truncate(name, room)}: ${progress}`;
  const barWidth = Math.min(MAX_BAR_WIDTH, width - textWidth(text) - 3);
  if (fraction === undefined || barWidth < 8) return truncate(text, width);
  const filledCells = Math.round(fraction * barWidth);
  const filledBar = styleText('green', '━'.repeat(filledCells), { stream });
  return `${filledBar}${styleText('dim', '─'.repeat(barWidth - filledCells), { stream })}  ${text}`;
}

/** Joins a stage and its figures, without the last ones that exceed the width. */
function fitting(parts: readonly string[], width: number): string {
  let text = parts.join('  ');
  for (let count = parts.length - 1; count > 0 && textWidth(text) > width; count -= 1) {
    text = parts.slice(0, count).join('  ');
  }
  return text;
}

function figuresOf(step: Step, fraction: number | undefined, rate: number | undefined): string[] {
  const { bytes, total } = step;
  const remaining = bytes === undefined ? 1 - (fraction ?? 0) : (total ?? bytes) - bytes;
  return [
    ...(fraction === undefined ? [] : [`${String(Math.floor(fraction * 100)).padStart(3)} %`]),
    ...(bytes === undefined
      ? []
      : [total === undefined ? sizeText(bytes) : `${sizeText(bytes)} of ${sizeText(total)}`]),
    ...(bytes === undefined || rate === undefined ? [] : [`${sizeText(rate)}/s`]),
    ...(rate === undefined || remaining <= 0 ? [] : [`${clockTime(remaining / rate)} left`]),
  ];
}
