/** Limits of tool calls and their results. Results are short, because language models read them. */
export const toolLimits = {
  /** Maximum duration of a tool call, in milliseconds. */
  callTime: 90_000,
  /**
   * Maximum time that a tool waits for a render, in seconds. It is shorter than the timeout of common clients, which is
   * 60 seconds.
   */
  wait: 50,
  /** Default time that a tool waits for a render, in seconds. */
  defaultWait: 30,
  /** Maximum characters of a link or an ID that a caller sends. */
  link: 2_048,
  /** Maximum characters of a link in a result. Longer ones are left out. */
  resultLink: 1_024,
  /** Maximum characters of a title or a name. */
  title: 300,
  /** Maximum characters of a description. */
  description: 2_000,
  /** Maximum number of items of a post, and of the characters of their JSON. */
  contents: 20,
  contentsLength: 20_000,
  /** Maximum number of qualities, and of images, of one item. */
  qualities: 30,
  /** Maximum number of entries of a list. */
  entries: 30,
  /** Maximum number of notes, and of languages. */
  notes: 50,
  /** Maximum characters of a page of a transcript. A single longer segment is cut. */
  transcript: 16_000,
} as const;

/** Cuts a text to a number of characters. Marks a cut by an ellipsis. */
export function cutText(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`;
}
