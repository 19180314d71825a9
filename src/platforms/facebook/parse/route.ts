/** What the site itself says about a page: the route that led to it. */
export interface Route {
  /** The component that shows the page: `FBReelsRoot.react`, `CometErrorRoot.react`. */
  readonly root?: string;
  /** The profile that the page is about: its number, and its name in addresses. */
  readonly userId?: string;
  readonly vanity?: string;
}

/** Maximum length of a route, and of the part of it that names the component. A route has some 10,000 characters. */
const MAX_ROUTE = 40_000;
const MAX_ROOT = 5_000;

/** Reads the route of a page. Returns undefined if the page has none, such as the sign-in page. */
export function readRoute(html: string): Route | undefined {
  const start = html.indexOf('"initialRouteInfo"');
  const rootStart = html.indexOf('"rootView"', Math.max(start, 0));
  if (start < 0 && rootStart < 0) return undefined;
  const route = start < 0 ? '' : html.slice(start, start + MAX_ROUTE);
  const rootView = rootStart < 0 ? '' : html.slice(rootStart, rootStart + MAX_ROOT);
  const root = /"resource":\{"__dr":"([\w.]{1,100})"/.exec(rootView)?.[1];
  const userId = /"userID":"(\d{1,25})"/.exec(route)?.[1];
  const vanity = /"userVanity":"([\w.-]{1,100})"/.exec(route)?.[1];
  return {
    ...(root === undefined ? {} : { root }),
    ...(userId === undefined ? {} : { userId }),
    ...(vanity === undefined ? {} : { vanity }),
  };
}
