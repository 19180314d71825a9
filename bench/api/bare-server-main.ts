import { readFileSync } from 'node:fs';
import Fastify from 'fastify';

/** The peer: a Fastify route that only sends the bytes of a file. `bare-server-main.ts <file> <port>`. */
const [file = '', port = ''] = process.argv.slice(2);
const body = readFileSync(file, 'utf8');
const app = Fastify();
app.get('/', (_request, reply) => reply.type('application/json; charset=utf-8').send(body));
await app.listen({ host: '127.0.0.1', port: Number(port) });
