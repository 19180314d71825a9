import { globSync, readFileSync } from 'node:fs';
import { checkMarkdown } from './check-markdown.ts';
import { markdownOfSource } from './markdown-of-source.ts';

const folders = ['bench', 'chaos', 'deploy', 'docs', 'lab', 'packages', 'scripts', 'src', 'test'];
const excluded = ['**/node_modules/**', '**/dist/**', 'test/fixtures/**', 'src/database/migrations/**'];
/** The translations of the page, whose strings are not English. */
const translations = /^src\/web\/page\/language\/(?:german|spanish|french|brazilian-portuguese|japanese)\.ts$/;

/**
 * Checks every text of the project: pages, comments, test titles, and the strings of the service, the page, the client and
 * the command line. Returns one line for each fault.
 */
export async function checkProse(): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const page of globSync(patternsOf('md'), { exclude: excluded }).toSorted()) {
    for (const { line, message } of await checkMarkdown(readFileSync(page, 'utf8')))
      faults.push(`${page}:${line} ${message}`);
  }
  for (const file of globSync(patternsOf('ts'), { exclude: excluded }).toSorted()) {
    const { markdown, lines } = markdownOfSource(readFileSync(file, 'utf8'), file, stringsOf(file));
    for (const { line, message } of await checkMarkdown(markdown)) {
      faults.push(`${file}:${lines[line - 1] ?? 1} ${message}`);
    }
  }
  return faults;
}

function patternsOf(extension: string): string[] {
  return [`*.${extension}`, ...folders.map((folder) => `${folder}/**/*.${extension}`)];
}

/**
 * Returns the strings of a file to check. Outside the product, they are not checked: the lab's strings imitate the
 * texts of sites.
 */
function stringsOf(file: string): 'all' | 'titles' | 'none' {
  if (translations.test(file)) return 'none';
  if (file.endsWith('.test.ts')) return 'titles';
  return /^(?:src|packages)\//.test(file) && !file.includes('/testing/') ? 'all' : 'none';
}
