import type { ExtractionResponse } from '#client/extraction.ts';
import { prompt } from '../terminal/prompt.ts';
import { sanitiseLine } from '../terminal/sanitise.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { qualitiesOf } from './choose-file.ts';

/** Number of attempts before the best quality is used. */
const ATTEMPTS = 3;

/** Prompts for a quality of a result. Returns the best one if there is no choice. */
export async function promptQuality(
  result: ExtractionResponse,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<string> {
  const [content] = result.contents ?? [];
  const labels = content === undefined ? [] : qualitiesOf(content);
  if (labels.length < 2) return 'best';
  const sound = content?.audios !== undefined || content?.renderableAudios !== undefined;
  const options = ['best', ...labels, ...(sound ? ['audio'] : [])];
  terminal.say(sanitiseLine(result.metadata.title ?? ''), 'bold');
  options.forEach((label, index) => {
    terminal.say(`  ${String(index + 1).padStart(2)}  ${sanitiseLine(label)}`);
  });
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const input = await prompt(terminal, 'Select a quality [1]: ', signal);
    const selected = input === '' ? 'best' : (options[Number(input) - 1] ?? options.find((label) => label === input));
    if (selected !== undefined) return selected;
    terminal.say(`Enter a number from 1 to ${options.length}, or press Enter for the best quality.`);
  }
  return 'best';
}
