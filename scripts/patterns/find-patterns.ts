import { readFileSync } from 'node:fs';
import { type CallExpression, type NewExpression, type Node, parseSync, Visitor } from 'oxc-parser';
import { createModules, type Modules, type SourceModule, unwrap } from './constants.ts';

/** A regular expression of the source. */
export interface FoundPattern {
  readonly file: string;
  readonly line: number;
  readonly source: string;
  readonly flags: string;
  /** Maximum length of its input, if `boundedPattern` sets one. */
  readonly maxLength?: number;
}

/** A possible regular expression whose text cannot be read from the source. */
interface UnreadablePattern {
  readonly file: string;
  readonly line: number;
  readonly code: string;
  readonly reason: string;
}

/** All findings in some files. */
export interface Findings {
  readonly patterns: readonly FoundPattern[];
  readonly unreadable: readonly UnreadablePattern[];
}

/** String methods that turn a string into a regular expression. */
const compiling = new Set(['match', 'matchAll', 'search']);

const needsConstant = 'its text must consist of constants';

/**
 * Finds every regular expression of some modules: literals, calls of `RegExp`, strings given to `match`, `matchAll` and
 * `search`, and `pattern` in JSON schemas.
 *
 * @param readSource Returns the source of a file; by default from disk.
 */
export function findPatterns(
  files: readonly string[],
  readSource = (file: string) => readFileSync(file, 'utf8'),
): Findings {
  const modules = createModules((file) => parse(file, readSource(file)));
  const findings = files.map((file) => findIn(modules.at(file), modules));
  return {
    patterns: findings.flatMap(({ patterns }) => patterns),
    unreadable: findings.flatMap((one) => one.unreadable),
  };
}

function parse(file: string, source: string): SourceModule {
  const { program, errors } = parseSync(file, source);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${file} cannot be parsed: ${error.message}`);
  return { file, source, program };
}

function findIn(module: SourceModule, modules: Modules): Findings {
  const patterns: FoundPattern[] = [];
  const unreadable: UnreadablePattern[] = [];
  const bounds = new Map<Node, number>();
  const expectedNodes = new Set<Node>();
  const lineOf = lineCounter(module.source);

  const place = ({ start }: Node) => ({ file: module.file, line: lineOf(start) });
  const refuse = (node: Node, reason: string) => {
    const code = module.source.slice(node.start, node.end).replaceAll(/\s+/g, ' ').slice(0, 100);
    unreadable.push({ ...place(node), code, reason });
  };
  const add = (node: Node, source: string, flags: string) => {
    const maxLength = bounds.get(node);
    patterns.push({ ...place(node), source, flags, ...(maxLength === undefined ? {} : { maxLength }) });
  };

  const compile = (call: CallExpression | NewExpression) => {
    const [source, flags] = call.arguments;
    expectedNodes.add(unwrap(call.callee));
    if (source === undefined) return;
    const text = modules.textOf(source, module);
    const flagText = flags === undefined ? '' : modules.textOf(flags, module);
    if (text === undefined || flagText === undefined) refuse(call, needsConstant);
    else add(call, text, flagText);
  };

  const readBound = (call: CallExpression) => {
    const [pattern, maxLength] = call.arguments;
    const literal = pattern === undefined ? undefined : unwrap(pattern);
    const length = maxLength === undefined ? undefined : Number(modules.textOf(maxLength, module));
    const isOwn = (literal?.type === 'Literal' && 'regex' in literal) || literal?.type === 'NewExpression';
    if (!isOwn) return refuse(call, 'its pattern must be written in the call, so that no other code can use it');
    if (length === undefined || !(length > 0)) return refuse(call, 'its bound must be a constant');
    bounds.set(literal, length);
  };

  const matchAgainst = (call: CallExpression) => {
    const [argument] = call.arguments;
    if (argument === undefined) return;
    const pattern = unwrap(argument);
    // Arrays are never patterns. Literals and values of type RegExp are found elsewhere.
    if (pattern.type === 'ArrayExpression' || (pattern.type === 'Literal' && 'regex' in pattern)) return;
    if (pattern.type === 'Identifier' && modules.isRegExp(pattern.name, module)) return;
    const text = modules.textOf(pattern, module);
    if (text === undefined) refuse(call, 'its argument must be a RegExp, or a string that consists of constants');
    else add(call, text, '');
  };

  const schema = (object: Node) => {
    if (object.type !== 'ObjectExpression') return;
    for (const property of object.properties) {
      if (property.type !== 'Property' || property.key.type !== 'Identifier' || property.key.name !== 'pattern')
        continue;
      const text = modules.textOf(property.value, module);
      if (text === undefined) refuse(property, needsConstant);
      else add(property, text, 'u');
    }
  };

  new Visitor({
    Literal: (node) => {
      if ('regex' in node) add(node, node.regex.pattern, node.regex.flags);
    },
    NewExpression: (node) => {
      if (isNamed(node.callee, 'RegExp')) compile(node);
    },
    CallExpression: (node) => {
      const { callee } = node;
      if (isNamed(callee, 'RegExp')) compile(node);
      if (isNamed(callee, 'boundedPattern')) readBound(node);
      if (callee.type !== 'MemberExpression') return;
      // The caches of a browser match requests, not patterns.
      const isOfCaches = isNamed(callee.object, 'caches');
      if (!callee.computed && !isOfCaches && compiling.has(callee.property.name)) matchAgainst(node);
      if (isNamed(callee.object, 'Type')) for (const argument of node.arguments) schema(unwrap(argument));
    },
    ObjectExpression: (node) => {
      const isSchema = node.properties.some(
        (one) => one.type === 'Property' && isNamed(one.key, 'type') && one.value.type === 'Literal',
      );
      if (isSchema) schema(node);
    },
    BinaryExpression: ({ operator, right }) => {
      if (operator === 'instanceof') expectedNodes.add(right);
    },
    TSTypeReference: ({ typeName }) => {
      expectedNodes.add(typeName);
    },
    Identifier: (node) => {
      if (node.name === 'RegExp' && !expectedNodes.has(node))
        refuse(node, 'RegExp may only be called, not passed as a value');
    },
  }).visit(module.program);
  return { patterns, unreadable };
}

function isNamed(node: Node, name: string): boolean {
  const inner = unwrap(node);
  return inner.type === 'Identifier' && inner.name === name;
}

/** Creates a function that returns the line of an offset, counted from 1. */
function lineCounter(source: string): (offset: number) => number {
  const starts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => starts.findLastIndex((start) => start <= offset) + 1;
}
