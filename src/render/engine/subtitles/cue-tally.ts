import { CueCounter, type CueStats } from '../timing/cue-stats.ts';
import type { CueLoss } from './subtitle-text.ts';

const lossTexts: Readonly<Record<CueLoss, string>> = {
  drawing: 'drawings without text',
  damaged: 'damaged',
  'too long': 'too long, shortened',
  early: 'ended before the video or audio begins',
  unordered: 'out of order, shortened or left out',
  crowded: 'more at once than can be shown',
};

/** What became of the cues of one subtitle stream of a result. */
export class CueTally {
  readonly #writtenCues = new CueCounter();
  readonly #losses = new Map<CueLoss, number>();
  #total = 0;
  #missing = 0;
  #moved = false;

  /** A cue is in the result and begins at `start` seconds. `moved`: its source has it at another time. */
  addShown(start: number, moved = false): void {
    this.#total += 1;
    this.#writtenCues.add(start);
    if (moved) this.#moved = true;
  }

  /** A cue is not in the result; without a loss, because it shows nothing. */
  addMissing(loss?: CueLoss): void {
    this.#total += 1;
    this.#missing += 1;
    if (loss !== undefined) this.addLoss(loss);
  }

  /** Counts a loss. */
  addLoss(loss: CueLoss): void {
    this.#losses.set(loss, (this.#losses.get(loss) ?? 0) + 1);
  }

  /** Starts of the cues that are in the result. */
  get writtenCues(): CueStats | undefined {
    return this.#writtenCues.stats();
  }

  /** Number of cues that are not in the result. */
  get missing(): number {
    return this.#missing;
  }

  /** Whether a cue begins later than its source says. */
  get moved(): boolean {
    return this.#moved;
  }

  /** The losses as a sentence about `label`; undefined if there are none. */
  describeLosses(label: string): string | undefined {
    if (this.#losses.size === 0) return undefined;
    const parts = [...this.#losses].map(([loss, count]) => `${count} of ${this.#total} (${lossTexts[loss]})`);
    return `${label} lost cues: ${parts.join(', ')}.`;
  }
}
