import { dig, fields } from '../../../parsing/values.ts';
import { objectsInPage, valuesInPage } from './page-data.ts';

/** A query of the site, as a page declares it. */
interface PageQuery {
  readonly id: string;
  /** Names of the flags that the query requires, such as `PolarisShortDramaEnabled`. Absent if the page has none. */
  readonly flags?: readonly string[];
}

/** The queries and flags that a page declares. */
export interface PageQueries {
  readonly queries: ReadonlyMap<string, PageQuery>;
  /** Values of flags by name, as the page's own queries send them. */
  readonly flags: ReadonlyMap<string, unknown>;
}

/** The declarations of a page that has none. */
export const noQueries: PageQueries = { queries: new Map(), flags: new Map() };

/** The module with a query's ID: `__d("PolarisPostRootQuery_instagramRelayOperation",[],(function(t,n){a.exports="1"`. */
const idModule =
  /__d\("(\w{1,150})_(?:instagram|facebook)RelayOperation",\[\],\(?function\([\w$,]{0,60}\)\{[\w$.]{1,20}exports="(\d{1,25})"/g;

/** The module with a query's parameters. It depends on the providers of the query's flags. */
const parametersModule = /__d\("(\w{1,150})\$Parameters",\[([^[\]]{0,4000})\]/g;

const flagVariablePattern = /^__relay_internal__pv__(\w{1,100})relayprovider$/;

/** Returns the variable in which a query receives a flag. */
export function flagVariable(name: string): string {
  return `__relay_internal__pv__${name}relayprovider`;
}

/**
 * Reads the queries that a page declares: in its `queryIds`, in the definitions of its modules, and in the preloaders of
 * the queries that it is about to send. Preloaders also have the values of flags.
 */
export function queriesInPage(html: string): PageQueries {
  const ids = new Map<string, string>();
  const required = new Map<string, readonly string[]>();
  const flags = new Map<string, unknown>();
  for (const table of valuesInPage(html, 'queryIds')) {
    for (const [name, id] of Object.entries(fields(table))) addId(name, id);
  }
  for (const [, name = '', id] of html.matchAll(idModule)) addId(name, id);
  for (const [, name = '', modules = ''] of html.matchAll(parametersModule)) {
    required.set(
      name,
      [...modules.matchAll(/"(\w{1,100})\.relayprovider"/g)].flatMap(([, flag]) => flag ?? []),
    );
  }
  for (const preloader of objectsInPage(html, '"preloaderID"', (value) => 'queryID' in value)) {
    const name = /^adp_(\w{1,180}?)RelayPreloader_/.exec(String(dig(preloader, 'preloaderID')))?.[1];
    if (name === undefined) continue;
    addId(name, dig(preloader, 'queryID'));
    const values = flagsIn(dig(preloader, 'variables'));
    for (const [flag, value] of values) flags.set(flag, value);
    required.set(
      name,
      values.map(([flag]) => flag),
    );
  }
  const queries = [...ids].map(([name, id]) => {
    const needed = required.get(name);
    return [name, needed === undefined ? { id } : { id, flags: needed }] as const;
  });
  return { queries: new Map(queries), flags };

  function addId(name: string, id: unknown): void {
    if (/^\d{1,25}$/.test(String(id))) ids.set(name, String(id));
  }
}

function flagsIn(variables: unknown): readonly (readonly [string, unknown])[] {
  return Object.entries(fields(variables)).flatMap(([name, value]) => {
    const flag = flagVariablePattern.exec(name)?.[1];
    return flag === undefined ? [] : [[flag, value] as const];
  });
}
