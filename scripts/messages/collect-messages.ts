import { relative } from 'node:path';
import type { Node } from 'oxc-parser';
import { type ErrorCode, errorCatalogue } from '../../src/contract/errors.ts';
import { noteCatalogue } from '../../src/contract/output-notes.ts';
import { possibleTexts } from './possible-texts.ts';
import type { Place, SourceGraph } from './source-graph.ts';

/**
 * Where people see a message. `catalogue`: an error or a note with a code. `body`: the fault of a member of a request
 * body. `envelope`: a note of an extraction response.
 */
export type MessageKind = 'catalogue' | 'body' | 'envelope' | 'start' | 'command' | 'client';

/** A message that Millrace can show, and its location in the source. */
export interface FoundMessage {
  readonly kind: MessageKind;
  /** Its codes in the catalogue; empty if they are decided at run time, or if it has none. */
  readonly codes: readonly string[];
  /** Parts that are decided at run time are placeholders: `{name}`. */
  readonly text: string;
  /** The file, from the root of the project. */
  readonly file: string;
}

interface MessagePosition {
  readonly kind: MessageKind;
  readonly message: number;
  readonly code?: number;
  /** The code of all errors of a class whose constructor takes none. */
  readonly fixedCode?: ErrorCode;
}

/** Errors whose messages people read, with the positions of message and code among their arguments. */
const errorClasses: Readonly<Record<string, MessagePosition>> = {
  MillraceError: { kind: 'catalogue', code: 0, message: 1 },
  UnreadResponseError: { kind: 'catalogue', message: 0, fixedCode: 'invalid_response_data' },
  ThrottleError: { kind: 'catalogue', message: 0, fixedCode: 'non_2xx_response' },
  DamagedArrival: { kind: 'catalogue', message: 0, fixedCode: 'download_incomplete' },
  StartError: { kind: 'start', message: 0 },
  UsageError: { kind: 'command', message: 0 },
  CommandError: { kind: 'command', message: 0 },
  ProbesError: { kind: 'command', message: 0 },
  AdminError: { kind: 'command', message: 0 },
  MillraceNetworkError: { kind: 'client', message: 1 },
  MillraceWebhookError: { kind: 'client', message: 1 },
};

/** Returns the positions of these errors and of all classes that extend them. */
function messagePositions(graph: SourceGraph): ReadonlyMap<string, MessagePosition> {
  const parents = new Map<string, string>();
  for (const { nodes } of graph.modules) {
    for (const node of nodes) {
      if (node.type !== 'ClassDeclaration' || node.id === null || node.superClass?.type !== 'Identifier') continue;
      parents.set(node.id.name, node.superClass.name);
    }
  }
  const positions = new Map(Object.entries(errorClasses));
  for (const name of parents.keys()) {
    let ancestor: string | undefined = name;
    while (ancestor !== undefined && !Object.hasOwn(errorClasses, ancestor)) ancestor = parents.get(ancestor);
    const position = ancestor === undefined ? undefined : errorClasses[ancestor];
    if (position !== undefined && !positions.has(name)) positions.set(name, position);
  }
  return positions;
}

/** Finds every message in the source. Errors that only pass on the message of another one are left out. */
export function collectMessages(graph: SourceGraph): readonly FoundMessage[] {
  const positions = messagePositions(graph);
  const messages = graph.modules.flatMap(({ nodes, file }) =>
    nodes.flatMap((node) => messagesAt({ node, file }, graph, positions)),
  );
  const byText = new Map<string, FoundMessage>();
  for (const message of messages) {
    const key = JSON.stringify([message.kind, message.text]);
    const codes = [...(byText.get(key)?.codes ?? []), ...message.codes];
    if (hasWords(message.text)) byText.set(key, { ...message, ...byText.get(key), codes: [...new Set(codes)] });
  }
  return [...byText.values()];
}

function messagesAt(
  { node, file }: Place,
  graph: SourceGraph,
  positions: ReadonlyMap<string, MessagePosition>,
): readonly FoundMessage[] {
  const textsOf = (expression: Node | undefined) =>
    expression === undefined ? [] : possibleTexts({ node: expression, file }, graph);
  const messages = (kind: MessageKind, message: Node | undefined, code?: Node) =>
    textsOf(message).map((text) => ({ kind, codes: textsOf(code).filter(isCode), text, file: relative('.', file) }));

  if (node.type === 'NewExpression' && node.callee.type === 'Identifier') {
    const position = positions.get(node.callee.name);
    if (position === undefined) return [];
    const { kind, message, code, fixedCode } = position;
    const found = messages(kind, node.arguments[message], code === undefined ? undefined : node.arguments[code]);
    return fixedCode === undefined ? found : found.map((each) => ({ ...each, codes: [fixedCode] }));
  }
  if (node.type !== 'ObjectExpression') return [];
  const message = propertyOf(node, 'message');
  const code = propertyOf(node, 'code');
  const notes = [propertyOf(node, 'notes'), propertyOf(node, 'linkNotes')].filter((value) => value !== undefined);
  return [
    ...(message === undefined || code === undefined ? [] : messages('catalogue', message, code)),
    ...(message === undefined || propertyOf(node, 'path') === undefined ? [] : messages('body', message)),
    ...notes.filter(({ type }) => type === 'ArrayExpression').flatMap((list) => messages('envelope', list)),
  ];
}

/** Whether a text contains words besides the parts that are decided at run time, and none of these parts is empty. */
function hasWords(text: string): boolean {
  if (/^ |: ?\.?$|: \.|\s\.| {2}|""/.test(text)) return false;
  return /[a-z]{2} [a-z{]/i.test(text.replaceAll(/\{[^}]*\}/g, '{}'));
}

/** Whether a text is a code of the catalogues of errors and notes. */
function isCode(text: string): boolean {
  return Object.hasOwn(errorCatalogue, text) || Object.hasOwn(noteCatalogue, text);
}

function propertyOf(object: Extract<Node, { type: 'ObjectExpression' }>, name: string): Node | undefined {
  for (const property of object.properties) {
    if (property.type === 'Property' && property.key.type === 'Identifier' && property.key.name === name) {
      return property.value;
    }
  }
  return undefined;
}
