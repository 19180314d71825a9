/** A part of a line in one style. */
export interface Span {
  readonly text: string;
  /** Names of styles, such as `bold` and `green`, separated by spaces. An empty string is plain text. */
  readonly style: string;
}

/** A line of a terminal. */
export type Line = readonly Span[];

interface Cell {
  char: string;
  style: string;
}

/** The lines that a terminal displays for the output of programs. It has no height, so nothing scrolls away. */
interface Screen {
  write(text: string): void;
  readonly lines: () => readonly Line[];
}

const colours = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what terminals are told by (ECMA-48, section 5.4).
const sequence = /\u001b\[([?\d;]*)([A-Za-z])|\u001b\][^\u0007]*\u0007|[\s\S]/gu;

/**
 * Creates a screen that supports the sequences of the project's own programs and npm: line ends, erasing to the end of
 * a line, moving within a line, and colours. Other sequences have no effect.
 */
export function createScreen(columns: number): Screen {
  const rows: Cell[][] = [[]];
  let row = 0;
  let column = 0;
  let style = new Set<string>();

  function rowAt(index: number): Cell[] {
    while (rows.length <= index) rows.push([]);
    return rows[index] ?? [];
  }

  function putChar(char: string): void {
    if (column >= columns) {
      row += 1;
      column = 0;
    }
    const cells = rowAt(row);
    while (cells.length < column) cells.push({ char: ' ', style: '' });
    cells[column] = { char, style: [...style].toSorted().join(' ') };
    column += 1;
  }

  function control(parameters: string, letter: string): void {
    const [first = 0] = parameters.split(';').map(Number);
    if (letter === 'm') style = applyStyle(style, parameters);
    else if (letter === 'G') column = Math.max(0, first - 1);
    else if (letter === 'K') rowAt(row).splice(first === 0 ? column : 0);
  }

  return {
    write(text) {
      for (const [char, parameters, letter] of text.matchAll(sequence)) {
        if (letter !== undefined) control(parameters ?? '', letter);
        else if (char === '\r') column = 0;
        else if (char === '\n') rowAt(++row);
        else if (char >= ' ') putChar(char);
      }
    },
    lines: () => rows.map(spansOf),
  };
}

/** Returns the style after an SGR sequence (ECMA-48). */
function applyStyle(before: ReadonlySet<string>, parameters: string): Set<string> {
  const after = new Set(before);
  for (const number of parameters.split(';').map(Number)) {
    if (number === 0) after.clear();
    else if (number === 1) after.add('bold');
    else if (number === 2) after.add('dim');
    else if (number === 22) ['bold', 'dim'].map((name) => after.delete(name));
    else if (number === 39 || (number >= 30 && number <= 37) || (number >= 90 && number <= 97)) {
      for (const name of colours) after.delete(name);
      const name = colours[number % 10];
      if (number !== 39 && name !== undefined) after.add(name);
    }
  }
  return after;
}

function spansOf(cells: readonly Cell[]): Line {
  const spans: { text: string; style: string }[] = [];
  for (const { char, style } of cells) {
    const last = spans.at(-1);
    if (last?.style === style) last.text += char;
    else spans.push({ text: char, style });
  }
  return spans;
}
