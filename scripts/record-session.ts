import { rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { columns, runInTerminal } from '../test/support/pseudo-terminal.ts';
import { filmOf, type TerminalWrite } from './session/film.ts';
import { svgOf } from './session/svg.ts';

/** Records the terminal session in the README, using the real demo and the real command line. */

const root = fileURLToPath(new URL('..', import.meta.url));
const picture = new URL('../docs/images/session.svg', import.meta.url);
const FILE = 'data/film.mp4';
/** In a fresh checkout, the lab generates its media first. */
const TIMEOUT_MS = 300_000;
const TITLE = 'The demo renders a video and checks it. Then one command downloads it in another quality.';
/** Milliseconds that a person takes to type a letter. */
const LETTER_MS = 35;

const writes: TerminalWrite[] = [];
let typingMs = 0;
const began = performance.now();

/** Records output. Typing took no time during the recording, so its time is added here. */
function hear(text: string): void {
  writes.push({ at: performance.now() - began + typingMs, text });
}

/** Records a command as if it were typed. */
function type(command: string): void {
  hear('\u001b[1m\u001b[32m$\u001b[0m ');
  for (const letter of command) {
    typingMs += LETTER_MS;
    hear(letter);
  }
  hear('\r\n');
}

await rm(`${root}${FILE}`, { force: true });
const demoCommand = ['npm', 'run', 'demo', '--', '--stay'];
type(demoCommand.join(' '));
const demo = runInTerminal(demoCommand, { cwd: root, onOutput: hear, timeout: TIMEOUT_MS });
await demo.until(/video\/xlab30\r?\n/);

const url = 'http://127.0.0.1:8080';
if (!demo.output().includes(`${url}/docs`))
  throw new Error('Another program listens on port 8080, which the README names.');
const key = 'demo-key';
hear('\r\n\u001b[2m# in another terminal\u001b[0m\r\n');
type(`export MILLRACE_URL=${url} MILLRACE_KEY=${key}`);
const link = 'https://youtu.be/lab-plain30';
const getCommand = ['npm', 'run', '--silent', 'millrace', '--', 'get', link, '--quality', '720p', '-o', FILE];
type(getCommand.map((word) => (word === link ? `'${link}'` : word)).join(' '));
const get = runInTerminal(getCommand, {
  cwd: root,
  env: { MILLRACE_URL: url, MILLRACE_KEY: key },
  onOutput: hear,
  timeout: TIMEOUT_MS,
});
const code = await get.ended();
if (code !== 0) throw new Error(`The command exited with ${code}:\n${get.output()}`);

// The demo's output while it stops is not part of the session.
const session = [...writes];
demo.type('\u0003');
await demo.ended();
await writeFile(picture, svgOf(filmOf(session, columns), columns, TITLE));
process.stdout.write(`${fileURLToPath(picture)}\n`);
