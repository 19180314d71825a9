import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { collectMessages } from './collect-messages.ts';
import { readSourceGraph } from './source-graph.ts';

const folder = mkdtempSync(join(tmpdir(), 'messages-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the texts and codes of the messages in some modules. */
function messagesIn(modules: Readonly<Record<string, string>>) {
  const files = Object.entries(modules).map(([name, text]) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  });
  return collectMessages(readSourceGraph(files)).map(({ codes, text }) => [codes.join(), text]);
}

describe('collectMessages', () => {
  test('finds a message with its code, and names the parts that are decided at run time', () => {
    const source = `throw new MillraceError('not_found', \`No job has the ID \${job.id}.\`);`;
    expect(messagesIn({ 'one.ts': source })).toEqual([['not_found', 'No job has the ID {id}.']]);
  });

  test('follows constants, conditions and functions across modules', () => {
    const reason = 'export const reason = (late: boolean) => (late ? "it is late" : "it is early");';
    const source = `import { reason } from './reason.ts';
      const advice = 'Try again.';
      throw new MillraceError('other', \`It failed: \${reason(true)}. \${advice}\`);`;
    expect(messagesIn({ 'reason.ts': reason, 'two.ts': source })).toEqual([
      ['other', 'It failed: it is late. Try again.'],
      ['other', 'It failed: it is early. Try again.'],
    ]);
  });

  test('follows a parameter to the arguments of all callers', () => {
    const source = `function gone(what: string) { return new MillraceError('not_found', \`There is no \${what}.\`); }
      throw gone('job'); throw gone('file');`;
    expect(messagesIn({ 'three.ts': source })).toEqual([
      ['not_found', 'There is no job.'],
      ['not_found', 'There is no file.'],
    ]);
  });

  test('does not mistake methods of texts and lists for methods in the source that have the same name', () => {
    const source = `const work = { join() { return other; }, replace() { return another; } };
      throw new MillraceError('other', \`Use \${names.join(', ')} or \${text.replace('a', 'b')}.\`);`;
    expect(messagesIn({ 'seven.ts': source })).toEqual([['other', 'Use {names} or {replace}.']]);
  });

  test('finds the messages of classes that extend a known error', () => {
    const source = `class BusyError extends StartError {}
      class VeryBusyError extends BusyError {}
      throw new VeryBusyError('The folder is in use.');`;
    expect(messagesIn({ 'six.ts': source })).toEqual([['', 'The folder is in use.']]);
  });

  test('finds messages in tables', () => {
    const source = "const rows = [{ code: 'unavailable', message: 'The video is private.' }];";
    expect(messagesIn({ 'four.ts': source })).toEqual([['unavailable', 'The video is private.']]);
  });

  test('leaves out errors that only pass on a message', () => {
    expect(messagesIn({ 'five.ts': 'throw new MillraceError(error.code, error.message);' })).toEqual([]);
  });
});
