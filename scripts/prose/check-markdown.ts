import type { Root as MarkdownRoot } from 'mdast';
import type { Root, Sentence } from 'nlcst';
import { toString as textOf } from 'nlcst-to-string';
import { ParseEnglish } from 'parse-english';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRetext from 'remark-retext';
import retextIndefiniteArticle from 'retext-indefinite-article';
import retextRepeatedWords from 'retext-repeated-words';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { VFile } from 'vfile';
import { forbiddenPhrases } from './forbidden-words.ts';

/** A fault of a text. */
export interface ProseFault {
  /** Line of the document, counted from 1. */
  readonly line: number;
  readonly message: string;
}

/** Names whose pronunciation is unknown to the rule for "a" and "an". */
const spelledOut = /^Unexpected article .* before `(?:fsync|ftyp|https?|mdat|mkv|moof|mp[34]|nginx|unix|x)`/;
/** Maximum number of words in a sentence. */
const MAX_WORDS = 35;

const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRetext, ParseEnglish)
  .use(retextIndefiniteArticle)
  .use(retextRepeatedWords)
  .use(checkSentences);

/**
 * Checks the prose of a Markdown document: forbidden phrases, long sentences, repeated words, and "a" before vowels. Code
 * and quotations are left out.
 */
export async function checkMarkdown(text: string): Promise<readonly ProseFault[]> {
  const file = new VFile(text);
  const tree = processor.parse(file);
  const { markdown, lines } = cellsOf(tree, text);
  await processor.run(tree, file);
  if (lines.length === 0) return faultsIn(file);
  const cells = new VFile(markdown);
  await processor.run(processor.parse(cells), cells);
  return [
    ...faultsIn(file),
    ...faultsIn(cells).map(({ line, message }) => ({ line: lines[(line - 1) / 2] ?? 1, message })),
  ];
}

function faultsIn({ messages }: VFile): readonly ProseFault[] {
  return messages
    .filter(({ reason }) => !spelledOut.test(reason))
    .map(({ line, reason }) => ({ line: line ?? 1, message: reason }));
}

/**
 * Returns the cells of all tables, with their lines, as paragraphs of one line each, because the processor does not
 * parse tables.
 */
function cellsOf(tree: MarkdownRoot, text: string): { readonly markdown: string; readonly lines: readonly number[] } {
  const cells: string[] = [];
  const lines: number[] = [];
  visit(tree, 'tableCell', ({ children }) => {
    const [start, end] = [children[0]?.position?.start, children.at(-1)?.position?.end];
    if (start === undefined) return;
    cells.push(text.slice(start.offset, end?.offset).replaceAll('\\|', '|'));
    lines.push(start.line);
  });
  return { markdown: cells.join('\n\n'), lines };
}

/** Reports long sentences, and forbidden phrases outside quotations. */
function checkSentences() {
  return (tree: Root, file: VFile) => {
    visit(tree, 'SentenceNode', (sentence) => {
      const text = proseOf(sentence);
      const words = wordsIn(text);
      if (words > MAX_WORDS) file.message(`The sentence has ${words} words; ${MAX_WORDS} are allowed`, sentence);
      for (const { pattern, instead } of forbiddenPhrases) {
        for (const [phrase] of text.matchAll(pattern)) file.message(`"${phrase}": write ${instead}`, sentence);
      }
    });
  };
}

/**
 * Returns the number of words in a sentence. The parser mistakes two sentences for one if the second begins with code,
 * or if the first ends with a short word. Therefore, the longest part between full stops counts.
 */
function wordsIn(sentence: string): number {
  return Math.max(...sentence.split(/\. /).map((part) => part.match(/[\w`"][^\s]*/g)?.length ?? 0));
}

/** Returns the words of a sentence without code and quotations. */
function proseOf(sentence: Sentence): string {
  const words = sentence.children.map((child) => (child.type === 'SourceNode' ? '`' : textOf(child))).join('');
  return words.replaceAll(/\s+/g, ' ').replaceAll(/"[^"]*"|“[^”]*”/g, '"');
}
