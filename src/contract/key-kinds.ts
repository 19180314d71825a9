/** The kinds of keys: for the extraction API or the direct job API. */
export const keyKinds = ['extraction', 'render'] as const;

/** The kind of a key. */
export type KeyKind = (typeof keyKinds)[number];
