import { endpoints } from './endpoints.ts';
import type { ExtractionResponse } from './extraction.ts';
import type { CallOptions } from './http/transport.ts';
import type { EndpointOf, Parameters, ParametersOf, PlatformId } from './parameters.ts';

/** Converts the words of a path to one name: `id-from-handle` becomes `idFromHandle`. */
type CamelCase<Text extends string> = Text extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Text;

/** The next segment of the paths below a folder. */
type NextSegment<Path extends string, Folder extends string> = Path extends `${Folder}${infer Rest}`
  ? Rest extends `${infer Step}/${string}`
    ? Step
    : Rest
  : never;

/** Calls one endpoint. */
type Method<P extends PlatformId, E extends EndpointOf<P>> = (
  parameters: ParametersOf<P, E>,
  options?: CallOptions,
) => Promise<ExtractionResponse>;

/** The methods below a path, which may be an endpoint itself. */
type Methods<P extends PlatformId, Path extends string> = (Path extends EndpointOf<P> ? Method<P, Path> : unknown) & {
  readonly [Step in NextSegment<EndpointOf<P>, `${Path}/`> as CamelCase<Step>]: Methods<P, `${Path}/${Step}`>;
};

/** A method for each endpoint, named after its path: `p1.video.details`, `p1.search`, `p1.search.video`. */
export type PlatformMethods = {
  readonly [P in PlatformId]: {
    readonly [Step in NextSegment<EndpointOf<P>, ''> as CamelCase<Step>]: Methods<P, Step>;
  };
};

type AnyMethod = (parameters: Parameters, options?: CallOptions) => Promise<ExtractionResponse>;

/** Creates the methods. */
export function createMethods(
  request: (
    platform: PlatformId,
    path: string,
    parameters: Parameters,
    options?: CallOptions,
  ) => Promise<ExtractionResponse>,
): PlatformMethods {
  const methods = Object.entries(endpoints).map(([id, table]) => {
    const platform = id as PlatformId;
    return [
      platform,
      methodsBelow(
        Object.keys(table),
        '',
        (path) =>
          (...args) =>
            request(platform, path, ...args),
      ),
    ];
  });
  // The cast is safe: the endpoint table determines the methods, both in the type and at run time.
  return Object.fromEntries(methods) as PlatformMethods;
}

/** Returns the methods of all paths in a folder, by name. A method has the methods below its own path as members. */
function methodsBelow(
  paths: readonly string[],
  folder: string,
  createMethod: (path: string) => AnyMethod,
): Readonly<Record<string, object>> {
  const segments = new Set(
    paths.filter((path) => path.startsWith(folder)).map((path) => path.slice(folder.length).split('/', 1)[0] ?? ''),
  );
  return Object.fromEntries(
    [...segments].map((segment) => {
      const path = folder + segment;
      const members = methodsBelow(paths, `${path}/`, createMethod);
      return [camelCase(segment), paths.includes(path) ? Object.assign(createMethod(path), members) : members];
    }),
  );
}

function camelCase(segment: string): string {
  return segment.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
