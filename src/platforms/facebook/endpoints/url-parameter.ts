import Type from 'typebox';

/** Creates the link parameter that every endpoint of the platform takes. */
export function urlParameter(example: string) {
  return Type.String({
    minLength: 1,
    maxLength: 10_000,
    description: 'A public Facebook link, or a text that contains one. Only the first Facebook link is used.',
    examples: [example],
  });
}
