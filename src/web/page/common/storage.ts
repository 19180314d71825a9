/** Texts that stay in the browser. A browser without storage forgets them; nothing depends on it. */

/** How long a text stays: between visits, or until its tab is closed. */
type StorageArea = 'local' | 'session';

/** Reads a stored text; null if it is missing. */
export function readStored(key: string, area: StorageArea = 'local'): string | null {
  try {
    return storageOf(area).getItem(key);
  } catch (error) {
    // Forbidden by the visitor's settings (https://html.spec.whatwg.org/multipage/webstorage.html).
    if (!(error instanceof DOMException)) throw error;
    return null;
  }
}

/** Stores a text. */
export function writeStored(key: string, text: string, area: StorageArea = 'local'): void {
  try {
    storageOf(area).setItem(key, text);
  } catch (error) {
    // Full, or forbidden by the visitor's settings.
    if (!(error instanceof DOMException)) throw error;
  }
}

function storageOf(area: StorageArea): Storage {
  return area === 'local' ? localStorage : sessionStorage;
}
