import type { EndpointEntry, ParameterType } from './endpoint-entry.ts';
import type { endpoints } from './endpoints.ts';

/** The type of the endpoint table. */
type Endpoints = typeof endpoints;

/** The ID of a platform, `p1` to `p6`. */
export type PlatformId = keyof Endpoints;

/** An endpoint of a platform: its path below `/<platform>/v3/`, such as `video/details`. */
export type EndpointOf<P extends PlatformId> = keyof Endpoints[P] & string;

/** An endpoint of a platform whose responses come in pages. */
export type ListEndpointOf<P extends PlatformId> = {
  [E in EndpointOf<P>]: Endpoints[P][E] extends { readonly list: string } ? E : never;
}[EndpointOf<P>];

/** Any text besides the values that editors suggest. */
type OtherText = string & {};

type ValueOf<T extends ParameterType> = T extends 'text'
  ? string
  : T extends 'number'
    ? number
    : T extends 'flag'
      ? boolean
      : T extends { readonly listOf: readonly (infer Value)[]; readonly extensible: true }
        ? readonly (Value | OtherText)[]
        : T extends { readonly listOf: readonly (infer Value)[] }
          ? readonly Value[]
          : T extends readonly (infer Value)[]
            ? Value
            : never;

type ParametersOfEntry<Entry extends EndpointEntry> = {
  readonly [Name in keyof Entry['required']]: ValueOf<Entry['required'][Name]>;
} & {
  readonly [Name in keyof Entry['optional']]?: ValueOf<Entry['optional'][Name]> | undefined;
};

/** The parameters of an endpoint. */
export type ParametersOf<P extends PlatformId, E extends EndpointOf<P>> = Endpoints[P][E] extends EndpointEntry
  ? ParametersOfEntry<Endpoints[P][E]>
  : never;

/** Parameters of any endpoint. */
export type Parameters = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** Returns the parameters as a query: lists joined by commas, undefined ones left out. */
export function toSearchParams(parameters: Parameters): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.set(name, Array.isArray(value) ? value.join(',') : String(value));
  }
  return query;
}
