import { plainText } from '../../../parsing/plain-text.ts';
import { dig, type Fields, fields, isFields, text } from '../../../parsing/values.ts';
import { parseSiteJson } from '../../reading.ts';
import { type Route, readRoute } from './route.ts';

/** One query result of the site's data layer. A page contains several. */
export interface QueryResult {
  /** The operation, such as `FBReelsRootWithEntrypointQuery`. Absent if the page does not name it. */
  readonly operation?: string;
  /** Set for a deferred part, which arrives after the main result and belongs at `path` in it. */
  readonly label?: string;
  readonly path?: readonly (string | number)[];
  readonly data: Fields;
  readonly extensions: Fields;
}

/** The contents of a page. */
export interface Page {
  readonly results: readonly QueryResult[];
  /** `og:` and `al:` properties, with entities decoded. */
  readonly properties: ReadonlyMap<string, string>;
  readonly canonical?: string;
  readonly route?: Route;
  /** Whether the page arrived with its end. */
  readonly isComplete: boolean;
  /** Whether the page came with query results, readable or not. The site sometimes sends pages without any. */
  readonly hasResults: boolean;
}

/** Maximum number of nodes searched for query results. A large page has some 20,000. */
const MAX_NODES = 200_000;
const MAX_RESULTS = 500;

/** Maximum length of the part of a page that is searched for properties. */
const MAX_HEAD = 300_000;

/** Reads a Facebook page. Skips unreadable parts, so a truncated page still yields the rest. */
export function readPage(html: string): Page {
  const results = scriptsOf(html).flatMap(resultsOf).slice(0, MAX_RESULTS);
  const route = readRoute(html);
  const canonical = /<link rel="canonical" href="([^"]{1,2000})"/.exec(html)?.[1];
  return {
    results,
    properties: propertiesOf(html),
    ...(canonical === undefined ? {} : { canonical: plainText(canonical, 2000) }),
    ...(route === undefined ? {} : { route }),
    isComplete: html.slice(-2000).includes('</html>'),
    hasResults: html.includes('"RelayPrefetchedStreamCache'),
  };
}

/** Reads the lines of an `/api/graphql/` response: the main result, then its deferred parts. */
export function readGraphql(body: string, operation: string): QueryResult[] {
  return body
    .split('\n')
    .slice(0, MAX_RESULTS)
    .flatMap((line) => {
      const result = parseSiteJson(line);
      return isFields(result) ? resultOf(result, operation) : [];
    });
}

/** Returns the JSON blocks that contain query results. The others (the site's code) are not parsed. */
function scriptsOf(html: string): string[] {
  const blocks: string[] = [];
  const opening = '<script type="application/json"';
  let at = html.indexOf(opening);
  while (at >= 0) {
    const begin = html.indexOf('>', at) + 1;
    const end = begin === 0 ? -1 : html.indexOf('</script>', begin);
    if (end < 0) break;
    const script = html.slice(begin, end);
    if (script.includes('"__bbox"') && script.includes('"result"')) blocks.push(script);
    at = html.indexOf(opening, end);
  }
  return blocks;
}

/** Returns the query results in one block: each `result` in a `__bbox`. The enclosing list names its operation. */
function resultsOf(script: string): QueryResult[] {
  const results: QueryResult[] = [];
  const stack: { value: unknown; operation?: string }[] = [{ value: parseSiteJson(script) }];
  for (let nodes = 0; nodes < MAX_NODES; nodes += 1) {
    const next = stack.pop();
    if (next === undefined) break;
    const { value } = next;
    if (Array.isArray(value)) {
      const operation = operationOf(value) ?? next.operation;
      // The stack is last-in, first-out, so items are pushed in reverse.
      for (const item of value.toReversed()) {
        if (typeof item === 'object') stack.push({ value: item, ...(operation === undefined ? {} : { operation }) });
      }
    } else if (isFields(value)) {
      const result = dig(value, '__bbox', 'result');
      if (isFields(result)) results.push(...resultOf(result, next.operation));
      else for (const item of Object.values(value)) if (typeof item === 'object') stack.push({ ...next, value: item });
    }
  }
  return results;
}

/**
 * Returns the operation named by `adp_<Operation>RelayPreloader_<hex>`, the item that precedes the operation's result.
 */
function operationOf(items: readonly unknown[]): string | undefined {
  const name = items.find((item) => typeof item === 'string' && item.startsWith('adp_'));
  return typeof name === 'string' ? /^adp_(\w{1,150}?)(?:RelayPreloader_|$)/.exec(name)?.[1] : undefined;
}

function resultOf(result: Fields, operation: string | undefined): QueryResult[] {
  const { data, path } = result;
  if (!isFields(data)) return [];
  const label = text(result.label);
  const steps = Array.isArray(path) && path.every((step) => typeof step === 'string' || typeof step === 'number');
  return [
    {
      data,
      extensions: fields(result.extensions),
      ...(operation === undefined ? {} : { operation }),
      ...(label === undefined ? {} : { label }),
      ...(steps ? { path } : {}),
    },
  ];
}

function propertiesOf(html: string): Map<string, string> {
  const properties = new Map<string, string>();
  for (const [, tag = ''] of html.slice(0, MAX_HEAD).matchAll(/<meta((?: [a-z-]{1,20}="[^"]{0,10000}"){2,6})/g)) {
    const attributes = new Map([...tag.matchAll(/ ([a-z-]+)="([^"]*)"/g)].map(([, name, value = '']) => [name, value]));
    const name = attributes.get('property') ?? attributes.get('name') ?? '';
    if (!/^(?:og|al|twitter):[\w:]{1,40}$/.test(name) || properties.has(name)) continue;
    properties.set(name, plainText(attributes.get('content') ?? '', 10_000));
  }
  return properties;
}
