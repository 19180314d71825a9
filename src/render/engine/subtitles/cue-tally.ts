import { CueCounter, type CueStats } from '../timing/cue-stats.ts';
import type { CueLoss } from './subtitle-text.ts';

const lossTexts: Readonly<Record<CueLoss, string>> = {
  drawing: 'drawings without text',
  damaged: 'damaged',
  'too long': 'too long, shortened',
  early: 'ended before the video or audio begins',
  unordered: 'out of order, shortened or left out',
  crowded: 'too many at the same time',
};

/** Counts which cues of one subtitle stream are in the result. */
export class CueTally {
  readonly #writtenCues = new CueCounter();
  readonly #losses = new Map<CueLoss, number>();
  #total = 0;
  #missing = 0;
  #moved = false;

  /**
   * Counts a cue that is in the result and begins at `start` seconds. `moved` is set if the cue begins at another time
   * in its source.
   */
  addShown(start: number, moved = false): void {
    this.#total += 1;
    this.#writtenCues.add(start);
    if (moved) this.#moved = true;
  }

  /** Counts a cue that is not in the result. Without a loss, it displays nothing. */
  addMissing(loss?: CueLoss): void {
    this.#total += 1;
    this.#missing += 1;
    if (loss !== undefined) this.addLoss(loss);
  }

  /** Counts a loss. */
  addLoss(loss: CueLoss): void {
    this.#losses.set(loss, (this.#losses.get(loss) ?? 0) + 1);
  }

  /** Statistics of the cues that are in the result. */
  get writtenCues(): CueStats | undefined {
    return this.#writtenCues.stats();
  }

  /** Number of cues that are not in the result. */
  get missing(): number {
    return this.#missing;
  }

  /** Whether a cue begins later than in its source. */
  get moved(): boolean {
    return this.#moved;
  }

  /** Returns the losses as a sentence about `label`; undefined if there are none. */
  describeLosses(label: string): string | undefined {
    if (this.#losses.size === 0) return undefined;
    const parts = [...this.#losses].map(([loss, count]) => `${count} of ${this.#total} (${lossTexts[loss]})`);
    return `${label} lost cues: ${parts.join(', ')}.`;
  }
}
