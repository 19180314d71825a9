import type { ExtractedContent, ExtractionResult } from '../contract/envelope.ts';

/** JSON of what answers are made of, kept as long as that is: a kept answer is turned into text once. */
const texts = new WeakMap<object, string>();

/**
 * The JSON of an answer, the same as `JSON.stringify` gives. Its media items and the parts of its metadata must not
 * change any more.
 */
export function answerText(result: ExtractionResult): string {
  return objectText(result, (member, name) => {
    if (name === 'contents') return listText(result.contents ?? [], contentText);
    if (name === 'metadata') return objectText(result.metadata, keptText);
    return JSON.stringify(member);
  });
}

function contentText(content: ExtractedContent): string {
  return objectText(content, (list) => listText(Array.isArray(list) ? list : [], keptText));
}

// Texts are appended and not joined: the engine then puts the whole together once, when it is sent.
function listText<Item>(list: readonly Item[], textOf: (item: Item) => string): string {
  let text = '';
  for (const item of list) text += text === '' ? textOf(item) : `,${textOf(item)}`;
  return `[${text}]`;
}

function objectText(members: object, textOf: (member: unknown, name: string) => string): string {
  let text = '';
  for (const [name, member] of Object.entries(members)) {
    if (member !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${textOf(member, name)}`;
  }
  return `{${text}}`;
}

function keptText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = JSON.stringify(value);
  texts.set(value, text);
  return text;
}
