import { saveLink } from '../common/save-link.ts';
import { readStored, writeStored } from '../common/storage.ts';
import { createStore } from '../common/store.ts';
import type { SavedRender } from './saved-renders.ts';

const STORAGE_KEY = 'millrace.save-by-itself';

/** Key of the renders of this tab. It outlives a reload, but other tabs must not save the same file again. */
const TAB_KEY = 'millrace.expected-files';
const MAX_EXPECTED = 100;

/** Whether finished files are saved by themselves. */
export const savesByItself = createStore(readStored(STORAGE_KEY) !== 'no');

/** The renders whose files this tab has saved. */
export const savedFiles = createStore<ReadonlySet<string>>(new Set());

/** Turns saving by itself on or off, and remembers it. */
export function setSavesByItself(on: boolean): void {
  savesByItself.set(on);
  writeStored(STORAGE_KEY, on ? 'yes' : 'no');
}

/** Notes that a click of the visitor has asked for the file of a render. */
export function expectSave(id: string): void {
  writeExpected([...readExpected().filter((other) => other !== id), id].slice(-MAX_EXPECTED));
}

/** Saves the file of a finished render, once for each click that has asked for it. */
export function saveIfExpected({
  id,
  output,
}: Pick<SavedRender, 'id'> & { output?: SavedRender['output'] | undefined }): void {
  const expected = readExpected();
  if (output === undefined || !savesByItself.get() || !expected.includes(id)) return;
  writeExpected(expected.filter((other) => other !== id));
  saveLink(output.url);
  savedFiles.set(new Set([...savedFiles.get(), id]));
}

let expectedHere: readonly string[] = [];

function readExpected(): readonly string[] {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(TAB_KEY) ?? '[]');
    return Array.isArray(value) ? value.filter((id) => typeof id === 'string').slice(-MAX_EXPECTED) : [];
  } catch (error) {
    // Storage is forbidden, or contains something else: only what happened since the page was loaded counts.
    if (!(error instanceof DOMException || error instanceof SyntaxError)) throw error;
    return expectedHere;
  }
}

function writeExpected(ids: readonly string[]): void {
  expectedHere = ids;
  try {
    sessionStorage.setItem(TAB_KEY, JSON.stringify(ids));
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
