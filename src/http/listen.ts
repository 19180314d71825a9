import type { FastifyInstance } from 'fastify';
import { StartError } from '../contract/start-error.ts';

/** Why a server cannot listen, and what to do about it. */
const addressReasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses it. Stop that program, or choose another port.',
  EACCES: 'the service is not permitted to use it. Choose a port above 1023.',
  EADDRNOTAVAIL: 'this machine does not have that address. Choose another host.',
  ENOTFOUND: 'the host name is unknown. Choose another host.',
};

/**
 * Starts listening. Returns the local address of the server.
 *
 * @throws StartError if the address is not available.
 */
export async function listen(server: FastifyInstance, host: string, port: number): Promise<string> {
  await server.listen({ host, port }).catch((cause: NodeJS.ErrnoException) => {
    const reason = addressReasons[cause.code ?? ''];
    if (reason === undefined) throw cause;
    throw new StartError(`The service cannot listen on port ${port} of ${host}: ${reason}`, { cause });
  });
  const address = server.server.address();
  if (address === null || typeof address === 'string') throw new Error('the server is not listening on a port');
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${address.port}`;
}
