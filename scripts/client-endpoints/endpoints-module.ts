import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { generalFormats } from '../../src/contract/parameters.ts';
import { renderParameters } from '../../src/contract/render-parameters.ts';
import { createPlatforms, defaultSettings } from '../../src/platforms/index.ts';
import { type ClientEndpoint, type ClientParameter, type ParameterType, readEndpoints } from './read-endpoints.ts';

/** Path of the module below the root. */
export const endpointsPath = 'packages/client/src/endpoints.ts';

/** Expressions of repeated values, by the name of their constant in the module. */
type Constants = ReadonlyMap<string, string>;

/** Longer values become constants if they occur more than once. */
const SHORT_VALUE = 20;
const SHORT_ENTRY = 300;

/** Maximum width of docblock lines. */
const WIDTH = 110;

/** Generates the client's table of endpoints from the registry of platforms, formatted like the rest of the code. */
export async function endpointsModule(root: URL): Promise<string> {
  const platforms = createPlatforms(defaultSettings).map((platform) => ({
    ...platform,
    endpoints: readEndpoints(platform),
  }));
  const endpoints = platforms.flatMap((platform) => platform.endpoints);
  // A repeated entry becomes a constant itself, so the values in it count only once.
  const distinct = [...new Map(endpoints.map((endpoint) => [entryOf(endpoint, new Map()), endpoint])).values()];
  const parameters = distinct.flatMap(({ required, optional }) =>
    [...required, ...optional].filter(isNoRenderParameter).map(({ name, type }) => [name, literal(type)] as const),
  );
  // Each parameter has its own constant, because the name of another one would be misleading.
  const values = new Map(
    [...Map.groupBy(parameters, ([name]) => name).values()].flatMap((group) => [...findRepeated(group, SHORT_VALUE)]),
  );
  const entries = findRepeated(
    endpoints.map((endpoint) => [camelCase(endpoint.path), entryOf(endpoint, values)]),
    SHORT_ENTRY,
  );
  const table = platforms.map(
    ({ id, title, endpoints }) =>
      `${docblock(title)}${id}: {${endpoints
        .map((endpoint) => {
          return docblock(endpoint.summary) + member(endpoint.path, entryOf(endpoint, values), entries);
        })
        .join('')}},`,
  );
  return await formatModule(
    root,
    endpointsPath,
    `// Made by "npm run docs" from the registry of platforms (src/platforms/index.ts).
import type { EndpointEntry } from './endpoint-entry.ts';

/** The qualities that every platform knows. */
const generalFormats = ${JSON.stringify(generalFormats)} as const;

${declarations(values, ' as const')}
/** The parameters of files to render, which every endpoint with renderable media accepts. */
const renderParameters = {${renderParametersOf(endpoints)}} as const satisfies EndpointEntry['optional'];

${declarations(entries, ' as const satisfies EndpointEntry')}
/**
 * Every endpoint of the extraction API, by platform and by its path below \`/<platform>/v3/\`. The client's methods and
 * their types are made from it.
 */
export const endpoints = {${table.join('')}} as const satisfies Readonly<
  Record<string, Readonly<Record<string, EndpointEntry>>>
>;
`,
  );
}

function entryOf({ required, optional, list }: ClientEndpoint, values: Constants): string {
  const own = optional.filter(isNoRenderParameter);
  const shared = own.length === optional.length ? '' : '...renderParameters,';
  return `{required: {${members(required, values)}}, optional: {${shared}${members(own, values)}},${list === undefined ? '' : `list: '${list}'`}}`;
}

function members(parameters: readonly ClientParameter[], values: Constants): string {
  return parameters
    .map(({ name, description, type }) => docblock(description) + member(name, literal(type), values))
    .join('');
}

/**
 * Returns the members for the parameters of files to render.
 *
 * @throws Error if endpoints differ in them.
 */
function renderParametersOf(endpoints: readonly ClientEndpoint[]): string {
  const texts = endpoints.map(({ optional }) =>
    members(
      optional.filter((parameter) => !isNoRenderParameter(parameter)),
      new Map(),
    ),
  );
  const [text, ...others] = new Set(texts.filter((each) => each !== ''));
  if (text === undefined || others.length > 0) throw new Error('Endpoints differ in the parameters of rendered files.');
  return text;
}

function isNoRenderParameter({ name }: ClientParameter): boolean {
  return !Object.hasOwn(renderParameters, name);
}

function member(name: string, text: string, constants: Constants): string {
  const constant = constants.get(name) === text ? name : nameOf(text, constants);
  return constant === name ? `${name},` : `'${name}': ${constant ?? text},`;
}

/** Returns a type as code, with the qualities that most lists begin with as their constant. */
function literal(type: ParameterType): string {
  return JSON.stringify(type).replace(JSON.stringify(generalFormats).slice(1, -1), '...generalFormats');
}

/** Returns the texts that are longer than `short` and occur more than once, each by a unique name. */
function findRepeated(entries: readonly (readonly [name: string, text: string])[], short: number): Constants {
  const result = new Map<string, string>();
  const seenTexts = new Set<string>();
  for (const [name, text] of entries) {
    if (seenTexts.has(text) && text.length > short && nameOf(text, result) === undefined) {
      const first = entries.find(([, other]) => other === text)?.[0] ?? name;
      if (result.has(first)) throw new Error(`Two constants would have the name ${first}.`);
      result.set(first, text);
    }
    seenTexts.add(text);
  }
  return result;
}

function nameOf(text: string, constants: Constants): string | undefined {
  return [...constants].find(([, other]) => other === text)?.[0];
}

function declarations(constants: Constants, suffix: string): string {
  return [...constants].map(([name, text]) => `const ${name} = ${text}${suffix};\n`).join('\n');
}

function camelCase(path: string): string {
  return path.replace(/[/-](\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns a text as a docblock, wrapped for display in editors. */
function docblock(text: string): string {
  const sentence = text.replaceAll('*/', '*\u200b/').replace(/[^.)]$/, '$&.');
  if (sentence.length <= WIDTH) return `\n/** ${sentence} */\n`;
  const lines = sentence.match(new RegExp(`.{1,${WIDTH}}(?: |$)`, 'g')) ?? [];
  return `\n/**\n${lines.map((line) => ` * ${line.trimEnd()}\n`).join('')} */\n`;
}

/**
 * Formats the code of a module with the project's formatter.
 *
 * @param path Path of the module below the root.
 */
export function formatModule(root: URL, path: string, code: string): Promise<string> {
  const biome = fileURLToPath(new URL('node_modules/@biomejs/biome/bin/biome', root));
  return new Promise((resolve, reject) => {
    const { stdin } = execFile(
      process.execPath,
      [biome, 'format', `--stdin-file-path=${path}`],
      { cwd: fileURLToPath(root) },
      (error, stdout) => (error === null ? resolve(stdout) : reject(error)),
    );
    stdin?.end(code);
  });
}
