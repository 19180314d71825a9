/** The part of a documented operation that determines its example request. */
interface DocumentedOperation {
  readonly parameters?: readonly {
    readonly name: string;
    readonly required: boolean;
    readonly example?: unknown;
  }[];
}

/**
 * Returns the request whose response is the example of a data endpoint: with its required parameters and
 * `renderableFormats`, so that the response has render configs. Returns undefined for other endpoints.
 */
export function exampleRequest(path: string, { parameters = [] }: DocumentedOperation): string | undefined {
  if (!/^\/p\d+\/v3\//.test(path)) return undefined;
  const sent = parameters.filter(({ name, required }) => required || name === 'renderableFormats');
  return `${path}?${new URLSearchParams(sent.map(({ name, example = '' }) => [name, String(example)]))}`;
}
