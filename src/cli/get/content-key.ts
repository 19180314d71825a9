import type { RecognisedLink } from '#client/recognise-link.ts';

/**
 * Returns a text that identifies what a link leads to: its platform and ID, as `p1 dQw4w9WgXcQ`, or for a chapter
 * `p1 dQw4w9WgXcQ#3`.
 */
export function contentKey({ platform, parameters }: RecognisedLink, chapter?: number): string {
  const { url, ...ids } = parameters;
  // Short links contain no ID, so that the whole link identifies the content.
  const id = url === undefined ? Object.values(ids).join('/') : (/\d{10,25}/.exec(url)?.[0] ?? url);
  return `${platform} ${id.replace(/\s/g, '')}${chapter === undefined ? '' : `#${chapter}`}`;
}
