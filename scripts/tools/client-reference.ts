import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  Application,
  ContainerReflection,
  type ProjectReflection,
  type Reflection,
  type TypeDocOptions,
} from 'typedoc';
import {
  type MarkdownPageEvent,
  MarkdownTheme,
  MarkdownThemeContext,
  type PluginOptions,
} from 'typedoc-plugin-markdown';
import { writeClientTypes } from '../build/client-types.ts';

/** Path of the page below the root. */
export const clientReferencePath = 'docs/reference/client-api.md';

const HEAD = `<!-- Made by "npm run docs" from packages/client/src/. -->

# Exports of the client library

This page lists the exports of \`millrace-client\` with their types, except for deprecated names. It is for developers who
look up the type of a method or a result. [Client library](client.md) explains methods, errors and timeouts, and
[Use the client library](../how-to/use-the-client.md) has examples.
`;

/** The compiler options of a program that uses the client. */
const compilerOptions = {
  target: 'esnext',
  lib: ['esnext', 'dom', 'dom.iterable', 'dom.asynciterable'],
  module: 'nodenext',
  types: [],
  strict: true,
};

const markdownPlugin = fileURLToPath(import.meta.resolve('typedoc-plugin-markdown'));

/** Returns the page that lists the exports of the client library, generated from its published types. */
export async function clientReferencePage(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'client-reference-'));
  try {
    await writeClientTypes(folder);
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['index.d.ts'] }));
    const app = await Application.bootstrapWithPlugins(optionsIn(folder));
    app.renderer.defineTheme('signatures', SignaturesTheme);
    const project = await app.convert();
    if (project === undefined) throw new Error('TypeDoc cannot read the types of the client library.');
    removeRepetitions(project);
    await app.outputs.writeOutput({ name: 'markdown', path: folder }, project);
    return HEAD + withNamedUnions(tidied(await readFile(join(folder, 'README.md'), 'utf8')));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function optionsIn(folder: string): Partial<TypeDocOptions & PluginOptions> {
  return {
    name: 'millrace-client',
    tsconfig: join(folder, 'tsconfig.json'),
    entryPoints: [join(folder, 'index.d.ts')],
    plugin: [markdownPlugin],
    theme: 'signatures',
    router: 'module',
    readme: 'none',
    groupOrder: ['Functions', 'Interfaces', 'Classes', 'Type Aliases', 'Variables'],
    disableSources: true,
    excludeExternals: true,
    hidePageHeader: true,
    hidePageTitle: true,
    hideBreadcrumbs: true,
    useCodeBlocks: true,
    parametersFormat: 'none',
    expandParameters: true,
    interfacePropertiesFormat: 'table',
    classPropertiesFormat: 'table',
    typeAliasPropertiesFormat: 'table',
    typeDeclarationFormat: 'table',
    tableColumnSettings: { hideDefaults: true, hideInherited: true, hideModifiers: true, hideOverrides: true },
    logLevel: 'Warn',
  };
}

/** Omits what the signatures above already state: results, and where members are inherited from. */
class SignaturesTheme extends MarkdownTheme {
  override getRenderContext(page: MarkdownPageEvent<Reflection>): MarkdownThemeContext {
    const context = new MarkdownThemeContext(this, page, this.application.options);
    context.partials.signatureReturns = () => '';
    context.partials.inheritance = () => '';
    return context;
  }
}

/** Removes deprecated names, and inherited members, which the interface that declares them lists. */
function removeRepetitions(project: ProjectReflection): void {
  const exists = ({ id }: Reflection) => project.getReflectionById(id) !== undefined;
  for (const reflection of Object.values(project.reflections)) {
    const isInherited = 'inheritedFrom' in reflection && reflection.inheritedFrom !== undefined;
    // A removed reflection takes its children with it.
    if (exists(reflection) && (isInherited || reflection.isDeprecated())) project.removeReflection(reflection);
  }
  for (const reflection of Object.values(project.reflections)) {
    if (!(reflection instanceof ContainerReflection)) continue;
    for (const group of reflection.groups ?? []) group.children = group.children.filter(exists);
    if (reflection.groups) reflection.groups = reflection.groups.filter(({ children }) => children.length > 0);
  }
}

/**
 * Removes the rules between headings, the anchors of table rows with the links to them, and the declarations of objects
 * whose members are in a table.
 */
function tidied(markdown: string): string {
  return markdown
    .replaceAll(/^```ts\ntype \w+ = object;\n```\n/gm, '')
    .replaceAll(/<a id="[^"]*"><\/a> /g, '')
    .replaceAll(/\[([^\]]+)\]\(#property-[^)]*\)/g, '$1')
    .replaceAll(/^\*\*\*\n/gm, '')
    .replaceAll(/[ \t]+$/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n');
}

/** Replaces the members of a union in a table by the name of the union, which the published types do not keep. */
function withNamedUnions(markdown: string): string {
  const unions = markdown.matchAll(/^type (\w+) =\n((?: {2}\| "\w+"[;\n]+)+)```/gm);
  return [...unions].reduce((text, [, name = '', lines = '']) => {
    const members = [...lines.matchAll(/"\w+"/g)].map(([member]) => `\\| \`${member}\``);
    return text.replaceAll(members.join(' '), `[\`${name}\`](#${name.toLowerCase()})`);
  }, markdown);
}
