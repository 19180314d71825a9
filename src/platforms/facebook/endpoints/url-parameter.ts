import Type from 'typebox';

/** The link that every endpoint of the platform takes. */
export function urlParameter(example: string) {
  return Type.String({
    minLength: 1,
    maxLength: 10_000,
    description: 'A public link of Facebook, or a text that holds one; the first link counts.',
    examples: [example],
  });
}
