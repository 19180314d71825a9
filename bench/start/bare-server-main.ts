import Fastify from 'fastify';

/** The peer: a Fastify server without any preparations. */
const app = Fastify();
app.get('/health', () => ({ ready: true }));
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
