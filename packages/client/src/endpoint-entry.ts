/**
 * The type of a parameter: any text, a whole number, a boolean, one of the listed values, a comma-separated list of
 * them, or such a list that may also contain other values.
 */
export type ParameterType =
  | 'text'
  | 'number'
  | 'flag'
  | readonly string[]
  | { readonly listOf: readonly string[] }
  | { readonly listOf: readonly string[]; readonly extensible: true };

/** An endpoint of the extraction API, as the client requests it. */
export interface EndpointEntry {
  /** Required parameters. */
  readonly required: Readonly<Record<string, ParameterType>>;
  /** Optional parameters. */
  readonly optional: Readonly<Record<string, ParameterType>>;
  /** Path of the paged list below `metadata`. A name in braces stands for the value of that parameter. */
  readonly list?: string;
}
