/** What of a Markdown page others can lead to, where it leads, and what it tells to run. */
export interface MarkdownPage {
  /** Targets of its links and pictures, as they stand there. */
  readonly links: readonly string[];
  /** Its headings, as GitHub names them in addresses. */
  readonly anchors: readonly string[];
  readonly commands: readonly CommandBlock[];
}

/** An indented block of code, without the indent. */
interface CommandBlock {
  /** The heading that it stands below. */
  readonly heading: string;
  readonly text: string;
}

const fence = /^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1[^\n]*$/gm;
const titleLine = /^#{1,6} +(.*)$/;
const link = /\]\(([^()\s]+(?:\([^()\s]*\)[^()\s]*)*)(?:\s+"[^"]*")?\)|\b(?:src|href)="([^"]+)"/g;

/** Reads a page as far as the project's own pages go: headings with `#`, links in place, code in fences or indented. */
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
