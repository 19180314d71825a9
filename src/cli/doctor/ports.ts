import { once } from 'node:events';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Check, type Finding, findingsOf, messageOf } from './finding.ts';

const { fine, wrong } = findingsOf('ports');

/** Checks that the ports are free, or used by a Millrace service. */
export const checkPorts: Check = async ({ HOST, PORT, ADMIN_HOST, ADMIN_PORT }, signal) => {
  const service = await checkPort('PORT', HOST, PORT, '/health/live', signal);
  const admin =
    ADMIN_PORT === undefined ? [] : [await checkPort('ADMIN_PORT', ADMIN_HOST, ADMIN_PORT, '/metrics', signal)];
  return [service, ...admin];
};

async function checkPort(
  setting: string,
  host: string,
  port: number,
  path: string,
  signal: AbortSignal,
): Promise<Finding> {
  if (port === 0) return fine(`${setting} is 0: a free port will be chosen`);
  const error = await tryBind(host, port);
  if (error === undefined) return fine(`${setting} ${port} on ${host} is free`);
  if (error.code === 'EADDRINUSE') {
    if (await isMillrace(host, port, path, signal))
      return fine(`${setting} ${port}: a Millrace service is running there`);
    return wrong(
      `${setting} ${port} is used by another program`,
      `Stop that program, or set ${setting} to another port.`,
    );
  }
  const address = setting.replace('PORT', 'HOST');
  const remedy =
    error.code === 'EACCES' ? 'Choose a port of 1024 or above.' : `Set ${address} to an address of this machine.`;
  return wrong(`cannot listen on ${setting} ${port} of ${host}: ${messageOf(error)}`, remedy);
}

async function tryBind(host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    server.close();
  }
}

async function isMillrace(host: string, port: number, path: string, signal: AbortSignal): Promise<boolean> {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const call = request({ host: reachable, port, path, signal: AbortSignal.any([signal, AbortSignal.timeout(3_000)]) });
  const responseText = Promise.withResolvers<string>();
  call.once('response', (response) => text(response).then(responseText.resolve, responseText.reject));
  call.once('error', responseText.reject);
  call.end();
  return await responseText.promise.then(
    (body) => body.trim() === '{"status":"ok"}' || body.includes('millrace_'),
    () => false,
  );
}
