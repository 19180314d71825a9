import { validUrl } from '../../../../src/contract/parse-url.ts';
import { type PathParameters, pathOf } from '../../../../src/contract/render-api/paths.ts';

/** Method and address of a request. */
export interface RouteAddress<Method> {
  readonly method: Method;
  readonly url: URL;
}

/** Returns the method and address of a route. If the address of the service has a path, it is kept as a prefix. */
export function addressOf<Method, Path extends string>(
  route: { readonly method: Method; readonly path: Path },
  parameters: PathParameters<Path>,
  service: URL,
): RouteAddress<Method> {
  return { method: route.method, url: validUrl(`.${pathOf(route, parameters)}`, service) };
}
