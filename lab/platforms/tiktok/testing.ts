// Helpers that the tests of the simulated p4 share.

/** Headers of a desktop browser. */
export const desktop = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/142.0.0.0' };
/** Headers of a phone browser. */
export const phone = { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Safari/604.1' };

/** Returns the data of a page by scope and member; empty if it has none. */
export function dataOf(html: string): Record<string, unknown> {
  const all = ['__UNIVERSAL_DATA_FOR_REHYDRATION__', 'api-data'].map((id) => {
    const [, text] = new RegExp(`<script\\s+id="${id}"[^>]*>(.*?)</script>`, 's').exec(html) ?? [];
    return text === undefined ? {} : Object(JSON.parse(text));
  });
  return Object.assign({}, ...all.map((data) => data.__DEFAULT_SCOPE__ ?? data));
}
