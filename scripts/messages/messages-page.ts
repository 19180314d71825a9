import { errorAdvice } from '../../src/contract/error-advice.ts';
import { type ErrorCode, errorCatalogue } from '../../src/contract/errors.ts';
import { noteCatalogue } from '../../src/contract/output-notes.ts';
import { sourceFiles } from '../syntax/source-files.ts';
import { collectMessages, type FoundMessage, type MessageKind } from './collect-messages.ts';
import { readSourceGraph } from './source-graph.ts';

/** Returns all messages in the source, except those in examples of the API, which repeat the others. */
export function allMessages(): readonly FoundMessage[] {
  return collectMessages(readSourceGraph(sourceFiles().filter((file) => !file.endsWith('examples.ts'))));
}

/**
 * Returns the page that lists every message that Millrace can show, so that a reader can review all messages in one
 * place.
 */
export function messagesPage(): string {
  const messages = allMessages();
  const codes = Object.keys(errorCatalogue) as ErrorCode[];
  const withCode = (code: string) => messages.filter((message) => message.codes.includes(code));
  const ofKind = (kind: MessageKind) =>
    messages.filter((message) => message.kind === kind && message.codes.length === 0);
  return `<!-- Made by "npm run docs" from the source. -->

# Messages

This page lists every message that Millrace can show, for reviewers of its texts. \`{name}\` stands for a part that is
decided at run time. Each message says what failed, why, and what to do next, in at most two sentences
(\`scripts/messages/messages.test.ts\`).

## Errors by code

${codes.map((code) => section(code, adviceOn(code), withCode(code))).join('\n\n')}

## Errors whose code is decided at run time

${table(ofKind('catalogue'))}

## Faults in request bodies

Each completes a sentence that begins with the path of the member.

${table(ofKind('body'))}

## Notes of results

${Object.entries(noteCatalogue)
  .map(([code, meaning]) => section(code, meaning, withCode(code)))
  .join('\n\n')}

## Notes of extraction responses

${table(ofKind('envelope'))}

## Errors at the start of the service

${table(ofKind('start'))}

## Errors of the command line

${table(ofKind('command'))}

## Errors of the client library

${table(ofKind('client'))}
`;
}

function adviceOn(code: ErrorCode): string {
  const { meaning, action } = errorAdvice[code];
  return `${meaning} ${action}`;
}

function section(code: string, meaning: string, messages: readonly FoundMessage[]): string {
  return [`### \`${code}\``, meaning, ...(messages.length === 0 ? [] : [table(messages)])].join('\n\n');
}

function table(messages: readonly FoundMessage[]): string {
  const rows = messages.map(
    ({ text, file }) => `| ${text.trim().replaceAll('|', '\\|').replaceAll('<', '&lt;')} | \`${file}\` |`,
  );
  return ['| Message | File |', '|---|---|', ...rows.toSorted()].join('\n');
}
