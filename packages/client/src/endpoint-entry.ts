/**
 * What a parameter takes: any text; true or false; one of some values; several of some values, or of others besides.
 */
export type Takes =
  | 'text'
  | 'flag'
  | readonly string[]
  | { readonly several: readonly string[] }
  | { readonly several: readonly string[]; readonly andOthers: true };

/** An endpoint of the extraction API, as the client requests it. */
export interface EndpointEntry {
  /** Required parameters. */
  readonly needs: Readonly<Record<string, Takes>>;
  /** Optional parameters. */
  readonly takes: Readonly<Record<string, Takes>>;
  /** Where the list is that comes in pages, below `metadata`; a parameter's value stands for its name in braces. */
  readonly list?: string;
}
