import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type ArrowFunctionExpression, type Function as FunctionLike, type Node, parseSync } from 'oxc-parser';
import { childNodes } from '../syntax/child-nodes.ts';

/** A function of the source, through which a value can be followed. */
export type FunctionNode = ArrowFunctionExpression | FunctionLike;

/** A node, and the module that it is in. */
export interface Place {
  readonly node: Node;
  readonly file: string;
}

/** A parsed module. */
interface Module {
  readonly file: string;
  readonly source: string;
  readonly nodes: readonly Node[];
  readonly parents: ReadonlyMap<Node, Node>;
  /** Imported names, with the module and the name that they come from. */
  readonly imports: ReadonlyMap<string, { readonly file: string; readonly name: string }>;
}

/** The source as a graph: declarations, and the calls of each function. */
export interface SourceGraph {
  readonly modules: readonly Module[];
  /** Returns the source text of a node. */
  textOf(place: Place): string;
  /** Returns the function that contains a node; undefined at the top of a module. */
  functionAround(place: Place): FunctionNode | undefined;
  /**
   * Returns the declaration that a name refers to: a function, the initial value of a constant, or the function that
   * has a parameter of this name.
   */
  declarationOf(name: string, from: Place): Declaration | undefined;
  /** Returns the methods of this name in all modules, of classes and of objects. */
  methodsNamed(name: string): readonly { readonly node: FunctionNode; readonly file: string }[];
  /** Returns the calls of a declared function in all modules. */
  callsOf(declaration: FunctionNode): readonly Place[];
}

/** The declaration that a name refers to. */
export type Declaration =
  | { readonly kind: 'function'; readonly node: FunctionNode; readonly file: string }
  | { readonly kind: 'value'; readonly node: Node; readonly file: string }
  | { readonly kind: 'parameter'; readonly of: FunctionNode; readonly index: number; readonly file: string };

/** Reads some files into a graph. */
export function readSourceGraph(files: readonly string[]): SourceGraph {
  const modules = new Map(files.map((file) => [file, readModule(file)]));

  function moduleOf(file: string): Module {
    const module = modules.get(file);
    if (module === undefined) throw new Error(`${file} is not one of the files that were read.`);
    return module;
  }

  function functionAround({ node, file }: Place): FunctionNode | undefined {
    const { parents } = moduleOf(file);
    for (let at = parents.get(node); at !== undefined; at = parents.get(at)) if (isFunction(at)) return at;
    return undefined;
  }

  function declarationOf(name: string, from: Place): Declaration | undefined {
    const module = modules.get(from.file);
    if (module === undefined) return undefined;
    for (let at: Node | undefined = from.node; at !== undefined; at = module.parents.get(at)) {
      const found = isFunction(at) ? parameterOf(at, name, from.file) : localOf(at, name, from.file);
      if (found !== undefined) return found;
    }
    const imported = module.imports.get(name);
    const target = imported === undefined ? undefined : modules.get(imported.file);
    const program = target?.nodes[0];
    return imported === undefined || program === undefined
      ? undefined
      : declarationOf(imported.name, { node: program, file: imported.file });
  }

  const calls = new Map<Node, Place[]>();
  for (const { nodes, file } of modules.values()) {
    for (const node of nodes) {
      if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') continue;
      const declaration = declarationOf(node.callee.name, { node, file });
      if (declaration?.kind !== 'function') continue;
      calls.set(declaration.node, [...(calls.get(declaration.node) ?? []), { node, file }]);
    }
  }

  const methods = new Map<string, { node: FunctionNode; file: string }[]>();
  for (const { nodes, file } of modules.values()) {
    for (const node of nodes) {
      if (node.type !== 'MethodDefinition' && node.type !== 'Property') continue;
      const { key, value } = node;
      if (key.type !== 'Identifier' || value === null || !isFunction(value)) continue;
      methods.set(key.name, [...(methods.get(key.name) ?? []), { node: value, file }]);
    }
  }

  return {
    modules: [...modules.values()],
    methodsNamed: (name) => methods.get(name) ?? [],
    textOf: ({ node, file }) => moduleOf(file).source.slice(node.start, node.end),
    functionAround,
    declarationOf,
    callsOf: (declaration) => calls.get(declaration) ?? [],
  };
}

function readModule(file: string): Module {
  const source = readFileSync(file, 'utf8');
  const { program, errors } = parseSync(file, source);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${file} cannot be parsed: ${error.message}`);
  const nodes: Node[] = [];
  const parents = new Map<Node, Node>();
  const imports = new Map<string, { file: string; name: string }>();
  visit(program, undefined);
  return { file, source, nodes, parents, imports };

  function visit(node: Node, parent: Node | undefined): void {
    nodes.push(node);
    if (parent !== undefined) parents.set(node, parent);
    if (node.type === 'ImportDeclaration') {
      for (const specifier of node.specifiers) {
        if (specifier.type !== 'ImportSpecifier' || !node.source.value.startsWith('.')) continue;
        const { imported } = specifier;
        const name = imported.type === 'Identifier' ? imported.name : imported.value;
        imports.set(specifier.local.name, { file: resolve(dirname(file), node.source.value), name });
      }
    }
    for (const child of childNodes(node)) visit(child, node);
  }
}

/** Whether a node is a function with a body. */
export function isFunction(node: Node): node is FunctionNode {
  return (
    node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression'
  );
}

function parameterOf(of: FunctionNode, name: string, file: string): Declaration | undefined {
  const index = of.params.findIndex((parameter) => {
    const target = parameter.type === 'AssignmentPattern' ? parameter.left : parameter;
    return target.type === 'Identifier' && target.name === name;
  });
  return index < 0 ? undefined : { kind: 'parameter', of, index, file };
}

/** Returns the function or constant of this name that the statements of a block or module declare. */
function localOf(block: Node, name: string, file: string): Declaration | undefined {
  if (block.type !== 'Program' && block.type !== 'BlockStatement') return undefined;
  for (const statement of block.body) {
    const inner = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (inner?.type === 'FunctionDeclaration' && inner.id?.name === name)
      return { kind: 'function', node: inner, file };
    if (inner?.type !== 'VariableDeclaration' || inner.kind !== 'const') continue;
    for (const { id, init } of inner.declarations) {
      if (init === null) continue;
      if (id.type === 'ArrayPattern' && init.type === 'ArrayExpression') {
        const index = id.elements.findIndex((element) => element?.type === 'Identifier' && element.name === name);
        const node = init.elements[index];
        if (node) return { kind: 'value', node, file };
      }
      if (id.type !== 'Identifier' || id.name !== name) continue;
      return isFunction(init) ? { kind: 'function', node: init, file } : { kind: 'value', node: init, file };
    }
  }
  return undefined;
}
