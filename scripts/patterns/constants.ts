import { dirname, resolve } from 'node:path';
import { type Node, type Program, Visitor } from 'oxc-parser';

/** A parsed file. */
export interface SourceModule {
  readonly file: string;
  readonly source: string;
  readonly program: Program;
}

/** Modules that import constants from each other. */
export interface Modules {
  at(file: string): SourceModule;
  /** Returns the string value of a constant expression; undefined if it depends on anything else. */
  textOf(node: Node, module: SourceModule): string | undefined;
  /** Returns whether every declaration of this name in a module is a RegExp: a literal, or typed as one. */
  isRegExp(name: string, module: SourceModule): boolean;
}

/** The supported values of constants. */
type Value = string | number | RegExp | readonly Value[] | { readonly [name: string]: Value };

/** The declarations of a module: its top-level constants, its imports, and every declaration of a name. */
interface Declarations {
  readonly constants: ReadonlyMap<string, Node>;
  readonly imports: ReadonlyMap<string, { readonly file: string; readonly name: string }>;
  readonly declarations: ReadonlyMap<string, readonly Node[]>;
}

/** Creates the modules from a function that parses a file. */
export function createModules(parse: (file: string) => SourceModule): Modules {
  const modulesByFile = new Map<string, SourceModule>();
  const declarationsByFile = new Map<string, Declarations>();

  const at = (file: string) => memoize(modulesByFile, file, () => parse(file));
  const declarationsOf = (module: SourceModule) =>
    memoize(declarationsByFile, module.file, () => readDeclarations(module));

  function constant(name: string, module: SourceModule): Value | undefined {
    const { constants, imports, declarations } = declarationsOf(module);
    // A second declaration may shadow the first one, so neither is used.
    if ((declarations.get(name)?.length ?? 0) > 1) return undefined;
    const importedName = imports.get(name);
    if (importedName !== undefined) return constant(importedName.name, at(importedName.file));
    const value = constants.get(name);
    return value === undefined ? undefined : evaluate(value, module);
  }

  function evaluate(expression: Node, module: SourceModule): Value | undefined {
    const node = unwrap(expression);
    switch (node.type) {
      case 'Literal':
        if ('regex' in node) return new RegExp(node.regex.pattern, node.regex.flags);
        return typeof node.value === 'string' || typeof node.value === 'number' ? node.value : undefined;
      case 'Identifier':
        return constant(node.name, module);
      case 'TemplateLiteral':
        return joinTemplate(node, 'cooked', module);
      case 'TaggedTemplateExpression': {
        const tag = module.source.slice(node.tag.start, node.tag.end);
        return tag === 'String.raw' ? joinTemplate(node.quasi, 'raw', module) : undefined;
      }
      case 'BinaryExpression': {
        const parts = [node.left, node.right].map((part) => textOf(part, module));
        return node.operator === '+' && areKnown(parts) ? parts.join('') : undefined;
      }
      case 'ArrayExpression': {
        const items = node.elements.map((item) => (item === null ? undefined : evaluate(item, module)));
        return areKnown(items) ? items : undefined;
      }
      case 'ObjectExpression':
        return Object.fromEntries(
          node.properties.flatMap((property) => {
            if (property.type !== 'Property' || property.computed || property.key.type !== 'Identifier') return [];
            const value = evaluate(property.value, module);
            return value === undefined ? [] : [[property.key.name, value]];
          }),
        );
      case 'MemberExpression': {
        if (node.computed) return undefined;
        const object = evaluate(node.object, module);
        if (object instanceof RegExp) return node.property.name === 'source' ? object.source : undefined;
        return isRecord(object) && Object.hasOwn(object, node.property.name) ? object[node.property.name] : undefined;
      }
      case 'CallExpression': {
        const { callee } = node;
        if (callee.type !== 'MemberExpression' || callee.computed || callee.property.name !== 'join') return undefined;
        const items = evaluate(callee.object, module);
        const [separator] = node.arguments;
        const between = separator === undefined ? undefined : textOf(separator, module);
        return Array.isArray(items) && between !== undefined ? items.join(between) : undefined;
      }
      default:
        return undefined;
    }
  }

  function joinTemplate(
    node: Extract<Node, { type: 'TemplateLiteral' }>,
    form: 'raw' | 'cooked',
    module: SourceModule,
  ): string | undefined {
    const values = node.expressions.map((expression) => textOf(expression, module));
    if (!areKnown(values)) return undefined;
    return node.quasis.map(({ value }, index) => (value[form] ?? '') + (values[index] ?? '')).join('');
  }

  function textOf(node: Node, module: SourceModule): string | undefined {
    const value = evaluate(node, module);
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  }

  return {
    at,
    textOf,
    isRegExp(name, module) {
      const { imports, declarations } = declarationsOf(module);
      if (imports.has(name)) return constant(name, module) instanceof RegExp;
      const places = declarations.get(name) ?? [];
      return places.length > 0 && places.every((place) => declaresRegExp(place));
    },
  };
}

/** Returns an expression without parentheses and types. */
export function unwrap(node: Node): Node {
  const isWrapped =
    node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression' || node.type === 'ParenthesizedExpression';
  return isWrapped ? unwrap(node.expression) : node;
}

function declaresRegExp(place: Node): boolean {
  const binding = place.type === 'VariableDeclarator' ? place.id : place;
  const type = 'typeAnnotation' in binding ? binding.typeAnnotation : undefined;
  if (type?.type === 'TSTypeAnnotation' && type.typeAnnotation.type === 'TSTypeReference') {
    const { typeName } = type.typeAnnotation;
    return typeName.type === 'Identifier' && typeName.name === 'RegExp';
  }
  if (place.type !== 'VariableDeclarator' || place.init === null) return false;
  const init = unwrap(place.init);
  return init.type === 'Literal' && 'regex' in init;
}

function readDeclarations({ file, program }: SourceModule): Declarations {
  const constants = new Map<string, Node>();
  const imports = new Map<string, { file: string; name: string }>();
  const declarations = new Map<string, Node[]>();
  const declare = (name: string, node: Node) => declarations.set(name, [...(declarations.get(name) ?? []), node]);

  for (const statement of program.body) {
    const inner = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (inner?.type !== 'VariableDeclaration' || inner.kind !== 'const') continue;
    for (const { id, init } of inner.declarations) if (id.type === 'Identifier' && init) constants.set(id.name, init);
  }
  const parameters = ({ params }: { readonly params: readonly Node[] }) => {
    for (const parameter of params) for (const name of namesIn(parameter)) declare(name, parameter);
  };
  new Visitor({
    ImportDeclaration: ({ source, specifiers }) => {
      for (const { type, local, ...rest } of specifiers) {
        declare(local.name, local);
        if (type !== 'ImportSpecifier' || !source.value.startsWith('.') || !('imported' in rest)) continue;
        const name = rest.imported.type === 'Identifier' ? rest.imported.name : rest.imported.value;
        imports.set(local.name, { file: resolve(dirname(file), source.value), name });
      }
    },
    VariableDeclarator: (node) => {
      for (const name of namesIn(node.id)) declare(name, node);
    },
    FunctionDeclaration: parameters,
    FunctionExpression: parameters,
    ArrowFunctionExpression: parameters,
  }).visit(program);
  return { constants, imports, declarations };
}

/** Returns the names that a parameter or a destructuring pattern declares. */
function namesIn(node: Node | null): readonly string[] {
  switch (node?.type) {
    case 'Identifier':
      return [node.name];
    case 'AssignmentPattern':
      return namesIn(node.left);
    case 'RestElement':
      return namesIn(node.argument);
    case 'ArrayPattern':
      return node.elements.flatMap(namesIn);
    case 'ObjectPattern':
      return node.properties.flatMap((property) => namesIn(property.type === 'Property' ? property.value : property));
    default:
      return [];
  }
}

function areKnown<Known>(values: readonly (Known | undefined)[]): values is readonly Known[] {
  return values.every((value) => value !== undefined);
}

function isRecord(value: Value | undefined): value is { readonly [name: string]: Value } {
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof RegExp);
}

function memoize<Result>(memo: Map<string, Result>, key: string, make: () => Result): Result {
  const result = memo.get(key) ?? make();
  memo.set(key, result);
  return result;
}
