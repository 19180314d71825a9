import { endpoints } from './endpoints.ts';
import type { Answer } from './extraction.ts';
import type { CallOptions } from './http/transport.ts';
import type { EndpointOf, Parameters, ParametersOf, PlatformId } from './parameters.ts';

/** The words of a path as one name: `id-from-handle` is `idFromHandle`. */
type Camel<Text extends string> = Text extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Text;

/** The next step of the paths below a folder. */
type Next<Path extends string, Folder extends string> = Path extends `${Folder}${infer Rest}`
  ? Rest extends `${infer Step}/${string}`
    ? Step
    : Rest
  : never;

/** Calls one endpoint. */
type Method<P extends PlatformId, E extends EndpointOf<P>> = (
  parameters: ParametersOf<P, E>,
  options?: CallOptions,
) => Promise<Answer>;

/** The methods below a path, which may be an endpoint itself. */
type Methods<P extends PlatformId, Path extends string> = (Path extends EndpointOf<P> ? Method<P, Path> : unknown) & {
  readonly [Step in Next<EndpointOf<P>, `${Path}/`> as Camel<Step>]: Methods<P, `${Path}/${Step}`>;
};

/** A method for each endpoint, by the words of its path: `p1.video.details`, `p1.search`, `p1.search.video`. */
export type PlatformMethods = {
  readonly [P in PlatformId]: {
    readonly [Step in Next<EndpointOf<P>, ''> as Camel<Step>]: Methods<P, Step>;
  };
};

type AnyMethod = (parameters: Parameters, options?: CallOptions) => Promise<Answer>;

/** Creates the methods. */
export function createMethods(
  request: (platform: PlatformId, path: string, parameters: Parameters, options?: CallOptions) => Promise<Answer>,
): PlatformMethods {
  const methods = Object.entries(endpoints).map(([id, table]) => {
    const platform = id as PlatformId;
    return [
      platform,
      below(
        Object.keys(table),
        '',
        (path) =>
          (...call) =>
            request(platform, path, ...call),
      ),
    ];
  });
  // The table says which methods there are, to the compiler and here.
  return Object.fromEntries(methods) as PlatformMethods;
}

/** The methods of all paths in a folder, by name; a method has those below its own path as members. */
function below(
  paths: readonly string[],
  folder: string,
  methodOf: (path: string) => AnyMethod,
): Readonly<Record<string, object>> {
  const steps = new Set(
    paths.filter((path) => path.startsWith(folder)).map((path) => path.slice(folder.length).split('/', 1)[0] ?? ''),
  );
  return Object.fromEntries(
    [...steps].map((step) => {
      const path = folder + step;
      const members = below(paths, `${path}/`, methodOf);
      return [camel(step), paths.includes(path) ? Object.assign(methodOf(path), members) : members];
    }),
  );
}

function camel(step: string): string {
  return step.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
