import { type PathParameters, pathOf } from '../../../../src/contract/render-api/paths.ts';

/** Method and address of a request. */
export interface RouteAddress<Method> {
  readonly method: Method;
  readonly url: URL;
}

/** The method and address of a route. The address of the service may have a path, which goes in front. */
export function addressOf<Method, Path extends string>(
  route: { readonly method: Method; readonly path: Path },
  parameters: PathParameters<Path>,
  service: URL,
): RouteAddress<Method> {
  return { method: route.method, url: new URL(`.${pathOf(route, parameters)}`, service) };
}
