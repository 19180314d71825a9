import { addressOfTarget, describeLink } from '#client/link-text.ts';
import { type RecognisedLink, recogniseAll } from '#client/recognise-link.ts';
import { prompt } from '../terminal/prompt.ts';
import { sanitiseLine } from '../terminal/sanitise.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { checkedLink } from './link-argument.ts';

/** Number of attempts before the most likely meaning is used. */
const ATTEMPTS = 3;

/**
 * Recognises a link or an ID. `@name` may be an account on several platforms: at a terminal, the person chooses one.
 * Otherwise, the most likely meaning is used, and the others are listed with their links.
 *
 * @param silent Whether nothing is written or asked, because a program reads the output.
 * @throws UsageError if the text is neither a link nor an ID, or a parameter is missing.
 */
export async function chooseLink(
  text: string,
  terminal: Terminal,
  signal: AbortSignal,
  silent: boolean,
): Promise<RecognisedLink> {
  const links = recogniseAll(text);
  const likely = checkedLink(links[0], text);
  // Eleven characters are nearly always a YouTube video, so a list of other meanings would only be noise.
  if (links.length < 2 || silent || (likely.platform === 'p1' && likely.endpoint === 'video/details')) return likely;
  // The ID of a video or a post most likely belongs to the first platform. A name can belong to any.
  if (text.trim().startsWith('@') && terminal.interactive) return await promptLink(text, links, terminal, signal);
  terminal.say(sanitiseLine(`Treating ${text} as a ${describeLink(likely)}. For another target, use its link:`), 'dim');
  for (const link of links.slice(1)) terminal.say(`  ${lineOf(link)}`, 'dim');
  return likely;
}

async function promptLink(
  text: string,
  links: readonly RecognisedLink[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<RecognisedLink> {
  terminal.say(sanitiseLine(`${text} can be:`), 'bold');
  links.forEach((link, index) => {
    terminal.say(`  ${String(index + 1).padStart(2)}  ${lineOf(link)}`);
  });
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const input = await prompt(terminal, 'Select an account [1]: ', signal);
    const link = links[input === '' ? 0 : Number(input) - 1];
    if (link !== undefined) return checkedLink(link, text);
    terminal.say(`Enter a number from 1 to ${links.length}, or press Enter for the first account.`);
  }
  return checkedLink(links[0], text);
}

function lineOf(link: RecognisedLink): string {
  return `${describeLink(link).padEnd(18)} ${sanitiseLine(addressOfTarget(link) ?? '')}`.trimEnd();
}
