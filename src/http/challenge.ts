import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Adds a challenge to every response with status 401, which must have one (RFC 9110 §15.5.2). */
export function addChallenges(app: FastifyInstance): void {
  // This hook uses a callback because a promise for each request would cost more than the hook.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode === 401) reply.header('www-authenticate', challengeFor(request));
    done(null, payload);
  });
}

/** Returns the challenge for a request, which says if its token is wrong (RFC 6750 §3). */
function challengeFor({ headers: { authorization } }: FastifyRequest): string {
  return `Bearer realm="millrace"${authorization === undefined ? '' : ', error="invalid_token"'}`;
}
