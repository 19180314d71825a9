import type { english } from './english.ts';

/**
 * The texts of the page: English defines which there are, and every other language has all of them. A text with values
 * is a function; a count selects its form with {@link plural}.
 */
export type Messages = typeof english;
