import { relative } from 'node:path';
import type { Node } from 'oxc-parser';
import { errorCatalogue } from '../../src/contract/errors.ts';
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

/** Errors whose messages people read, with the positions of code and message among their arguments. */
const errorClasses: Readonly<Record<string, { kind: MessageKind; message: number; code?: number }>> = {
  MillraceError: { kind: 'catalogue', code: 0, message: 1 },
  LimitError: { kind: 'catalogue', code: 0, message: 1 },
  WriteError: { kind: 'catalogue', code: 0, message: 1 },
  ThrottleError: { kind: 'catalogue', code: 0, message: 1 },
  StartError: { kind: 'start', message: 0 },
  ConfigError: { kind: 'start', message: 0 },
  UsageError: { kind: 'command', message: 0 },
  CommandError: { kind: 'command', message: 0 },
  MillraceNetworkError: { kind: 'client', message: 1 },
  MillraceWebhookError: { kind: 'client', message: 1 },
};

/** Finds every message in the source. Errors that only pass on the message of another one are left out. */
export function collectMessages(graph: SourceGraph): readonly FoundMessage[] {
  const messages = graph.modules.flatMap(({ nodes, file }) =>
    nodes.flatMap((node) => messagesAt({ node, file }, graph)),
  );
  const byText = new Map<string, FoundMessage>();
  for (const message of messages) {
    const key = JSON.stringify([message.kind, message.text]);
    const codes = [...(byText.get(key)?.codes ?? []), ...message.codes];
    if (hasWords(message.text)) byText.set(key, { ...message, ...byText.get(key), codes: [...new Set(codes)] });
  }
  return [...byText.values()];
}

function messagesAt({ node, file }: Place, graph: SourceGraph): readonly FoundMessage[] {
  const textsOf = (expression: Node | undefined) =>
    expression === undefined ? [] : possibleTexts({ node: expression, file }, graph);
  const messages = (kind: MessageKind, message: Node | undefined, code?: Node) =>
    textsOf(message).map((text) => ({ kind, codes: textsOf(code).filter(isCode), text, file: relative('.', file) }));

  if (node.type === 'NewExpression' && node.callee.type === 'Identifier') {
    const position = errorClasses[node.callee.name];
    if (position === undefined) return [];
    const { kind, message, code } = position;
    return messages(kind, node.arguments[message], code === undefined ? undefined : node.arguments[code]);
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
