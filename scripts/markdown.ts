/** The links, headings and commands of a Markdown page. */
export interface MarkdownPage {
  /** Targets of links and images, unchanged. */
  readonly links: readonly string[];
  /** Anchors of the headings, as GitHub names them. */
  readonly anchors: readonly string[];
  readonly commands: readonly CommandBlock[];
}

/** An indented block of code, without the indent. */
interface CommandBlock {
  /** The heading above the block. */
  readonly heading: string;
  readonly text: string;
}

const fence = /^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1[^\n]*$/gm;
const titleLine = /^#{1,6} +(.*)$/;
const link = /\]\(([^()\s]+(?:\([^()\s]*\)[^()\s]*)*)(?:\s+"[^"]*")?\)|\b(?:src|href)="([^"]+)"/g;

/**
 * Reads the subset of Markdown that the project's pages use: headings with `#`, inline links, and code that is fenced
 * or indented.
 */
export function readMarkdown(text: string): MarkdownPage {
  const prose: string[] = [];
  const headings: string[] = [];
  const blocks: { heading: string; lines: string[] }[] = [];
  let block: string[] | undefined;
  for (const line of text.replace(fence, '').split('\n')) {
    const isBlank = line.trim() === '';
    if (line.startsWith('    ') && block === undefined && (prose.at(-1) ?? '') === '') {
      block = [];
      blocks.push({ heading: headings.at(-1) ?? '', lines: block });
    }
    if (block !== undefined && (isBlank || line.startsWith('    '))) {
      block.push(line.slice(4));
      continue;
    }
    block = undefined;
    prose.push(line.trimEnd());
    const [, title] = titleLine.exec(line) ?? [];
    if (title !== undefined) headings.push(title);
  }
  const words = prose.join('\n').replace(/`[^`\n]*`/g, '');
  return {
    links: [...words.matchAll(link)].map(([, target, attribute]) => target ?? attribute ?? ''),
    anchors: anchorsOf(headings),
    commands: blocks.map(({ heading, lines }) => ({ heading, text: lines.join('\n').trimEnd() })),
  };
}

function anchorsOf(headings: readonly string[]): string[] {
  const slugCounts = new Map<string, number>();
  return headings.map((title) => {
    const slug = title
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
      .trim()
      .replaceAll(' ', '-');
    const count = slugCounts.get(slug) ?? 0;
    slugCounts.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
}
