import { readStored, writeStored } from '../common/storage.ts';
import { createStore } from '../common/store.ts';
import { parseChoice, type RememberedChoice } from './parse-choice.ts';

const STORAGE_KEY = 'millrace.choice';

/** The last choice of the visitor; undefined before the first. */
export const rememberedChoice = createStore<RememberedChoice | undefined>(parseChoice(readStored(STORAGE_KEY)));

/** Remembers a choice for the next items. */
export function rememberChoice({ kind, label }: RememberedChoice): void {
  const choice = { kind, label };
  rememberedChoice.set(choice);
  writeStored(STORAGE_KEY, JSON.stringify(choice));
}
