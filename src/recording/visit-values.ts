import { mask } from './mask.ts';

/** Maximum number of values, so that masking them takes linear time. */
const MAX_VALUES = 200;
const MIN_LENGTH = 10;
const MAX_LENGTH = 1_000;

/** The IDs and tokens of one visit to a site. */
export interface VisitValues {
  /** Adds a value, unless it is too short or too plain to be unique. */
  add(value: string): void;
  /** Masks all values in a text. */
  mask(text: string): string;
}

/** Creates an empty list of values. */
export function createVisitValues(): VisitValues {
  const values = new Set<string>();
  return {
    add(value) {
      if (values.size >= MAX_VALUES || value.length < MIN_LENGTH || value.length > MAX_LENGTH) return;
      if ([/\d/, /[a-z]/, /[A-Z]/].filter((kind) => kind.test(value)).length > 1) values.add(value);
    },
    mask: (text) => [...values].reduce((masked, value) => masked.replaceAll(value, mask), text),
  };
}
