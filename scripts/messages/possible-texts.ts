import type { Node } from 'oxc-parser';
import type { Declaration, FunctionNode, Place, SourceGraph } from './source-graph.ts';

/** A part with more alternatives than this becomes a placeholder. */
const MAX_VARIANTS = 60;
const MAX_DEPTH = 12;
/**
 * A method call is followed only if at most this many methods have its name. With more, the name says too little about
 * the method that is called.
 */
const MAX_METHODS = 5;
/** Methods of strings and arrays. Calls of these names are not followed, because most of them are calls of the methods. */
const builtInMethods: ReadonlySet<string> = new Set(
  [String.prototype, Array.prototype].flatMap((prototype) => Object.getOwnPropertyNames(prototype)),
);

/** The calls that are being followed, by the called function. Their arguments are the values of its parameters. */
type Bindings = ReadonlyMap<FunctionNode, { readonly call: Place; readonly bindings: Bindings }>;

/**
 * Returns every text that an expression can produce, as far as the source decides it: through conditions, constants,
 * templates, functions, and the arguments of all callers. Parts that are decided at run time are placeholders, such as
 * `{name}`.
 */
export function possibleTexts(place: Place, graph: SourceGraph): readonly string[] {
  return [...new Set(resolve(place, new Map(), 0))];

  function resolve(at: Place, bindings: Bindings, depth: number): readonly string[] {
    const { node, file } = at;
    const inner = (child: Node) => resolve({ node: child, file }, bindings, depth + 1);
    if (depth > MAX_DEPTH) return [placeholder(at)];
    switch (node.type) {
      case 'Literal':
        return typeof node.value === 'string' || typeof node.value === 'number' ? [String(node.value)] : [];
      case 'TemplateLiteral': {
        const clause = capitalisedClause(node, (part) => graph.textOf({ node: part, file }));
        if (clause !== undefined) return inner(clause).map((text) => `${capitalise(text)}.`);
        return combine(
          node.quasis.flatMap(({ value }, index) => {
            const expression = node.expressions[index];
            const own = [value.cooked ?? ''];
            return expression === undefined ? [own] : [own, limited(inner(expression), { node: expression, file })];
          }),
        );
      }
      case 'BinaryExpression':
        if (node.operator !== '+' || isNumber(node.right)) return [placeholder(at)];
        return combine([inner(node.left), inner(node.right)]);
      case 'ConditionalExpression':
        return [...inner(node.consequent), ...inner(node.alternate)];
      case 'LogicalExpression':
        return [...inner(node.left), ...inner(node.right)];
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSNonNullExpression':
      case 'ParenthesizedExpression':
        return inner(node.expression);
      case 'ArrayExpression':
        return node.elements.flatMap((element) => (element === null ? [] : inner(element)));
      case 'SpreadElement':
        return inner(node.argument);
      case 'ChainExpression':
        return inner(node.expression);
      case 'Identifier':
        return resolveName(node.name, at, bindings, depth);
      case 'CallExpression':
        return resolveCall(at, bindings, depth);
      case 'MemberExpression':
        return resolveMember(at, bindings, depth);
      default:
        return [placeholder(at)];
    }
  }

  function resolveName(name: string, at: Place, bindings: Bindings, depth: number): readonly string[] {
    if (name === 'undefined') return [];
    const declaration = graph.declarationOf(name, at);
    if (declaration?.kind === 'value') return resolve(declaration, bindings, depth + 1);
    if (declaration?.kind !== 'parameter') return [placeholder(at)];
    const bound = bindings.get(declaration.of);
    const calls = bound === undefined ? graph.callsOf(declaration.of).map((call) => ({ call, bindings })) : [bound];
    const texts = calls.flatMap((one) => resolveArgument(declaration, one.call, one.bindings, depth));
    return texts.length === 0 ? [placeholder(at)] : [...new Set(texts)];
  }

  function resolveArgument(
    { of, index, file }: Extract<Declaration, { kind: 'parameter' }>,
    call: Place,
    bindings: Bindings,
    depth: number,
  ): readonly string[] {
    const argument = call.node.type === 'CallExpression' ? call.node.arguments[index] : undefined;
    if (argument !== undefined) return resolve({ node: argument, file: call.file }, bindings, depth + 1);
    const parameter = of.params[index];
    return parameter?.type === 'AssignmentPattern' ? resolve({ node: parameter.right, file }, bindings, depth + 1) : [];
  }

  function resolveCall(at: Place, bindings: Bindings, depth: number): readonly string[] {
    const { node, file } = at;
    if (node.type !== 'CallExpression') return [];
    const { callee } = node;
    if (callee.type === 'MemberExpression' && !callee.computed && callee.property.name === 'trim') {
      return resolve({ node: callee.object, file }, bindings, depth + 1).map((text) => text.trim());
    }
    const texts = calledFunctions(callee, at).flatMap((called) => {
      const inside = new Map([...bindings, [called.node, { call: at, bindings }]]);
      return returnsOf(called.node, graph, called.file).flatMap((value) =>
        resolve({ node: value, file: called.file }, inside, depth + 1),
      );
    });
    return texts.length === 0 ? [placeholder(at)] : [...new Set(texts)];
  }

  /**
   * Returns the functions that a call can reach: the declared function, or all methods with its name if there are few.
   */
  function calledFunctions(callee: Node, at: Place): readonly { node: FunctionNode; file: string }[] {
    if (callee.type === 'ChainExpression') return calledFunctions(callee.expression, at);
    if (callee.type === 'MemberExpression' && !callee.computed) {
      if (builtInMethods.has(callee.property.name)) return [];
      const methods = graph.methodsNamed(callee.property.name);
      return methods.length <= MAX_METHODS ? methods : [];
    }
    const declaration = callee.type === 'Identifier' ? graph.declarationOf(callee.name, at) : undefined;
    return declaration?.kind === 'function' ? [declaration] : [];
  }

  function resolveMember(at: Place, bindings: Bindings, depth: number): readonly string[] {
    const { node, file } = at;
    if (node.type !== 'MemberExpression' || node.object.type !== 'Identifier') return [placeholder(at)];
    const declaration = graph.declarationOf(node.object.name, { node, file });
    const table = declaration?.kind === 'value' ? unwrapped(declaration.node) : undefined;
    if (declaration?.kind !== 'value' || table?.type !== 'ObjectExpression') return [placeholder(at)];
    const name = node.computed ? undefined : node.property.name;
    const values = table.properties.flatMap((property) => {
      if (property.type !== 'Property' || property.computed) return [];
      const key = property.key.type === 'Identifier' ? property.key.name : undefined;
      return name === undefined || key === name ? [property.value] : [];
    });
    const texts = values.flatMap((value) => resolve({ node: value, file: declaration.file }, bindings, depth + 1));
    return texts.length === 0 ? [placeholder(at)] : texts;
  }

  function limited(texts: readonly string[], at: Place): readonly string[] {
    return texts.length > 0 && texts.length <= MAX_VARIANTS ? texts : [placeholder(at)];
  }

  /**
   * Joins parts so that every alternative of every part occurs in at least one text. Not every combination of them
   * occurs.
   */
  function combine(parts: readonly (readonly string[])[]): readonly string[] {
    const count = Math.max(...parts.map((part) => part.length));
    return Array.from({ length: count }, (_, index) => parts.map((part) => part[index % part.length] ?? '').join(''));
  }

  /** Returns the placeholder for a part that is decided at run time, named after the code that computes it. */
  function placeholder({ node, file }: Place): string {
    const name =
      nameOf(node) ??
      graph
        .textOf({ node, file })
        .replaceAll(/[^\w ]/g, '')
        .slice(0, 30);
    return `{${name.replaceAll(/(?<=[a-z])(?=[A-Z])|_/g, ' ').toLowerCase()}}`;
  }
}

/** Names that say less than the object that they belong to. */
const vagueNames = new Set(['String', 'join', 'length', 'map', 'name', 'slice', 'toFixed', 'toLowerCase', 'trim']);

/** Returns the name of an expression: the name of its variable, property or function. */
function nameOf(node: Node): string | undefined {
  switch (node.type) {
    case 'Identifier':
      return node.name;
    case 'MemberExpression': {
      const name = node.computed ? undefined : node.property.name;
      return name === undefined || vagueNames.has(name) ? (nameOf(node.object) ?? name) : name;
    }
    case 'CallExpression': {
      const name = nameOf(node.callee);
      const [argument] = node.arguments;
      return (name === undefined || vagueNames.has(name)) && argument !== undefined ? (nameOf(argument) ?? name) : name;
    }
    case 'BinaryExpression':
      return nameOf(node.left) ?? nameOf(node.right);
    case 'TSNonNullExpression':
    case 'AwaitExpression':
    case 'ChainExpression':
      return nameOf('expression' in node ? node.expression : node.argument);
    default:
      return undefined;
  }
}

function isNumber(node: Node): boolean {
  return node.type === 'Literal' && typeof node.value === 'number';
}

function unwrapped(node: Node): Node {
  return node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression' ? unwrapped(node.expression) : node;
}

/**
 * Returns the clause that a template turns into a sentence, if it has this form:
 * `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`
 */
function capitalisedClause(
  { expressions, quasis }: Extract<Node, { type: 'TemplateLiteral' }>,
  textOf: (node: Node) => string,
): Node | undefined {
  const [first, rest] = expressions;
  if (expressions.length !== 2 || first === undefined || rest?.type !== 'CallExpression') return undefined;
  if (rest.callee.type !== 'MemberExpression' || quasis.at(-1)?.value.cooked !== '.') return undefined;
  const clause = rest.callee.object;
  return textOf(first) === `${textOf(clause)}.charAt(0).toUpperCase()` ? clause : undefined;
}

function capitalise(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Returns the expressions that a function returns. */
function returnsOf(node: FunctionNode, graph: SourceGraph, file: string): readonly Node[] {
  if (node.body === null) return [];
  if (node.type === 'ArrowFunctionExpression' && node.body.type !== 'BlockStatement') return [node.body];
  const module = graph.modules.find((one) => one.file === file);
  return (module?.nodes ?? []).flatMap((one) => {
    if (one.type !== 'ReturnStatement' || one.argument === null) return [];
    return graph.functionAround({ node: one, file }) === node ? [one.argument] : [];
  });
}
