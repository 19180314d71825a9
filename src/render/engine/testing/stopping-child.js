import { writeSync } from 'node:fs';

/** A child that stops its whole process group as soon as it is ready. */
writeSync(3, `${JSON.stringify({ type: 'ready', landlock: 0, systemCalls: false })}\n`);
process.kill(0, 'SIGSTOP');
setInterval(() => undefined, 1000);
