import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../test/support/free-port.ts';

/** The peer of the service: {@link file://./bare-server-main.ts} in its own process. */
interface BareServer {
  readonly url: string;
  readonly pid: number;
  stop(): void;
}

/** Starts a bare Fastify route that sends the bytes of a file. */
export async function startBareServer(file: string): Promise<BareServer> {
  const port = await freePort();
  const program = fileURLToPath(new URL('./bare-server-main.ts', import.meta.url));
  const child = spawn(process.execPath, [program, file, `${port}`], { stdio: ['ignore', 'ignore', 'inherit'] });
  await once(child, 'spawn');
  const url = `http://127.0.0.1:${port}/`;
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const response = await fetch(url).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok === true && child.pid !== undefined) return { url, pid: child.pid, stop: () => child.kill() };
    await delay(50);
  }
  child.kill();
  throw new Error('the bare route does not respond');
}
