import { readFile, writeFile } from 'node:fs/promises';
import { type Node, SyntaxKind } from 'typescript/unstable/ast';
import { API, type Checker, NodeBuilderFlags } from 'typescript/unstable/sync';

/** Kinds of type nodes that are replaced as a whole if they are derived from a value. */
const derivedKinds: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.TypeReference,
  SyntaxKind.TypeOperator,
  SyntaxKind.IndexedAccessType,
  SyntaxKind.TypeQuery,
]);

const flags =
  NodeBuilderFlags.NoTruncation |
  NodeBuilderFlags.InTypeAlias |
  NodeBuilderFlags.UseFullyQualifiedType |
  NodeBuilderFlags.UseSingleQuotesForStringLiteralType;

/**
 * Expands types that are derived from values, such as `Type.Static<typeof schema>` and `keyof typeof catalogue`, in the
 * declaration files below a folder. The declarations then no longer need the values.
 *
 * @param config The `tsconfig.json` of the declaration files.
 */
export async function inlineDerivedTypes(config: string, folder: string): Promise<void> {
  const api = new API();
  try {
    const [project] = api.updateSnapshot({ openProjects: [config] }).getProjects();
    if (project === undefined) throw new Error(`${config} is not a project.`);
    const { program, checker } = project;
    for (const name of program.getSourceFileNames()) {
      const file = name.startsWith(folder) ? program.getSourceFile(name) : undefined;
      if (file === undefined) continue;
      const replacements = file.statements.flatMap((statement) =>
        isTypeDeclaration(statement) ? replacementsIn(statement, checker) : [],
      );
      await writeFile(name, applyReplacements(await readFile(name, 'utf8'), replacements));
    }
  } finally {
    api.close();
  }
}

/** A range of a text, and its replacement. */
interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

function isTypeDeclaration({ kind }: Node): boolean {
  return kind === SyntaxKind.TypeAliasDeclaration || kind === SyntaxKind.InterfaceDeclaration;
}

/** Returns the replacements of the outermost derived types in a node, in source order. */
function replacementsIn(node: Node, checker: Checker): Replacement[] {
  if (!isMadeFromValue(node)) return [];
  if (!derivedKinds.has(node.kind)) return childrenOf(node).flatMap((child) => replacementsIn(child, checker));
  const type = checker.getTypeAtLocation(node);
  if (type === undefined) throw new Error(`${node.getText()} has no type.`);
  const text = checker.typeToString(type, undefined, flags);
  // A union inside another type needs parentheses.
  return [{ from: node.getStart(), to: node.end, text: isTypeDeclaration(node.parent) ? text : `(${text})` }];
}

function isMadeFromValue(node: Node): boolean {
  return node.kind === SyntaxKind.TypeQuery || childrenOf(node).some(isMadeFromValue);
}

function childrenOf(node: Node): Node[] {
  const children: Node[] = [];
  node.forEachChild((child) => {
    children.push(child);
  });
  return children;
}

function applyReplacements(text: string, replacements: readonly Replacement[]): string {
  let result = '';
  let position = 0;
  for (const { from, to, text: other } of replacements) {
    result += text.slice(position, from) + other;
    position = to;
  }
  return result + text.slice(position);
}
