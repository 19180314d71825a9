import { type Comment, type Node, parseSync } from 'oxc-parser';
import { childNodes } from '../syntax/child-nodes.ts';
import { testTitle } from '../syntax/test-titles.ts';

/** The prose of a file as a Markdown document. */
export interface ProseDocument {
  readonly markdown: string;
  /** For each line of the document, the line of the file that it comes from. */
  readonly lines: readonly number[];
}

/** What to read of a module besides its comments: all prose strings, the titles of its tests, or nothing. */
type Strings = 'all' | 'titles' | 'none';

/** Comments for tools, whose words follow the tool's syntax. */
const directive = /^\s*(?:biome-ignore|@ts-|oxlint|v8 ignore)/;
/** A string is prose if words follow each other, and if it is not a statement of SQL or a list of CSS classes. */
const prose = /[A-Za-z]{2,}[,;:]? +(?:[a-z]{2,}|[A-Z`"'$])/;
const sql =
  /\b(?:SELECT|INSERT INTO|UPDATE \w|DELETE FROM|CREATE|ALTER|VALUES|select|insert into|delete from|update \w+ set)\b/;

/** Matches a line of a program in another language. */
const programLine = /[;{]$/m;

/** Reads the comments and strings of a module, each as a paragraph. */
export function markdownOfSource(source: string, file: string, strings: Strings): ProseDocument {
  const { program, comments } = parseSync(file, source);
  const paragraphs = [
    ...comments.filter(({ value }) => !directive.test(value)).map(paragraphOfComment),
    ...(strings === 'none' ? [] : stringsIn(program, strings).map((node) => paragraphOfString(node, source))),
  ].toSorted((one, other) => one.start - other.start);

  const markdown: string[] = [];
  const lines: number[] = [];
  let previous: { readonly isLine: boolean; readonly end: number } | undefined;
  for (const { start, end, text, isLine } of paragraphs) {
    const continues = previous?.isLine === true && isLine && /^\s*$/.test(source.slice(previous.end, start));
    const first = source.slice(0, start).split('\n').length;
    if (!continues) {
      markdown.push('');
      lines.push(first);
    }
    for (const [index, line] of text.split('\n').entries()) {
      markdown.push(line);
      lines.push(first + index);
    }
    previous = { isLine, end };
  }
  return { markdown: markdown.join('\n'), lines };
}

interface Paragraph {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Whether it is a line comment, which continues the one above it. */
  readonly isLine: boolean;
}

function paragraphOfComment({ type, value, start, end }: Comment): Paragraph {
  const lines = value.replace(/^\*/, '').split('\n');
  const text = lines.map((line) => line.replace(/^\s*\* ?/, '').trim()).join('\n');
  // Removes tags at the beginning of paragraphs, and formats the targets of links as code.
  const markdown = text.replaceAll(/^@\w+ /gm, '').replaceAll(/\{@link ([^}]*)\}/g, '`$1`');
  return { start, end, text: markdown, isLine: type === 'Line' };
}

function paragraphOfString(node: Node, source: string): Paragraph {
  const raw = source.slice(node.start + 1, node.end - 1);
  const text = raw
    .replaceAll(/\$\{[^}]*\}/g, '`x`')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\\n/g, '  ')
    .replaceAll(/\\(['"`])/g, '$1')
    // Indented lines of a longer text are examples.
    .replaceAll(/^(?: {2}|\t).*$/gm, '');
  return { start: node.start, end: node.end, text, isLine: false };
}

function stringsIn(program: Node, strings: 'all' | 'titles'): Node[] {
  const found: Node[] = [];
  visit(program);
  return found;

  function visit(node: Node): void {
    if (node.type === 'ImportDeclaration' || node.type.startsWith('TS')) {
      if (node.type === 'ImportDeclaration' || !('expression' in node)) return;
    }
    const title = strings === 'titles' ? testTitle(node) : undefined;
    if (title !== undefined && isString(title)) found.push(title);
    if (strings === 'all' && isString(node) && isProse(node)) {
      found.push(node);
      return;
    }
    for (const child of childNodes(node)) visit(child);
  }
}

function isString(node: Node): boolean {
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string');
}

function isProse(node: Node): boolean {
  const text =
    node.type === 'TemplateLiteral'
      ? node.quasis.map(({ value }) => value.raw).join('x')
      : 'value' in node && String(node.value);
  return (
    typeof text === 'string' && prose.test(text) && /[a-z]{4}/i.test(text) && !sql.test(text) && !programLine.test(text)
  );
}
