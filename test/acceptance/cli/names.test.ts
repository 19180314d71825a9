import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { millrace } from '../../support/command-line.ts';
import { keys, temporaryFolder } from '../../support/processes.ts';

const env = { MILLRACE_URL: inject('serviceUrl'), MILLRACE_KEY: keys.MEGA, MILLRACE_RENDER_KEY: keys.render };
let cwd: string;
let remove: () => Promise<void>;

beforeEach(async () => {
  ({ path: cwd, delete: remove } = await temporaryFolder());
});

afterEach(() => remove());

test('items whose titles differ only in form or case get a file each, with all characters of the title', async () => {
  const links = ['lab-named-1', 'lab-named-2', 'lab-named-3'];
  const { code, stdout } = await millrace(['get', ...links, '--quality', 'audio'], { env, cwd });
  const rest = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467} \u{1f1eb}\u{1f1f7} می\u200cخواهم क्\u200dष';
  const names = [`Café ${rest}.m4a`, `Café ${rest} (2).m4a`, `CAFÉ ${rest} (3).m4a`];
  // Files are printed as they end.
  expect([code, stdout.trim().split('\n').toSorted()]).toEqual([0, names.toSorted()]);
  expect((await readdir(cwd)).toSorted()).toEqual(names.toSorted());
});
