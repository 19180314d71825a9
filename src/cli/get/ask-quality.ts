import type { Answer } from '#client/extraction.ts';
import { ask } from '../terminal/prompt.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { visibleLine } from '../terminal/visible.ts';
import { qualitiesOf } from './choose.ts';

/** So often a person may mistype. */
const ATTEMPTS = 3;

/** Has the person at the terminal choose a quality of what an answer shows; the best one, where there is no choice. */
export async function askQuality(answer: Answer, terminal: Terminal, signal: AbortSignal): Promise<string> {
  const [content] = answer.contents ?? [];
  const labels = content === undefined ? [] : qualitiesOf(content);
  if (labels.length < 2) return 'best';
  const sound = content?.audios !== undefined || content?.renderableAudios !== undefined;
  const offered = ['best', ...labels, ...(sound ? ['audio'] : [])];
  terminal.say(visibleLine(answer.metadata.title ?? ''), 'bold');
  offered.forEach((label, index) => {
    terminal.say(`  ${String(index + 1).padStart(2)}  ${visibleLine(label)}`);
  });
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const typed = await ask(terminal, 'Which one? [1] ', signal);
    const chosen = typed === '' ? 'best' : (offered[Number(typed) - 1] ?? offered.find((label) => label === typed));
    if (chosen !== undefined) return chosen;
    terminal.say(`Type a number from 1 to ${offered.length}, or Enter for the best.`);
  }
  return 'best';
}
