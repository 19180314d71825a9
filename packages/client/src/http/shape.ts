/**
 * The shape of a value, in as much of the contract as a caller relies on: the kinds of members. Enumerations are open, and
 * members that the shape does not name are allowed, because the contract grows.
 *
 * - a name: a kind of values (`check-response.ts`), or another shape (`response-shapes.ts`)
 * - a list with one shape: an array of such values
 * - an object: an object with these members. Those with `|null` behind the name may be null, those without `!` be missing
 */
export type Shape = string | readonly [Shape] | { readonly [member: string]: Shape };
