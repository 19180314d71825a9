import type { FastifyInstance } from 'fastify';
import { adminRoutes } from '../contract/admin-api/routes.ts';
import { MillraceError } from '../contract/errors.ts';
import { addRoute } from '../http/add-route.ts';
import type { UnreadResponses } from '../recording/unread-responses.ts';

/** Adds the routes of the kept responses of sites. */
export function addUnreadRoutes(
  app: FastifyInstance,
  { unreadResponses }: { readonly unreadResponses?: UnreadResponses | undefined },
): void {
  addRoute(app, adminRoutes.listUnread, async () => ({
    unread: keptResponses(unreadResponses)
      .list()
      .map((info) => ({ ...info, kinds: { ...info.kinds } })),
  }));

  addRoute(app, adminRoutes.getUnread, async ({ params }) => {
    const exchanges = await keptResponses(unreadResponses).get(params.id);
    if (exchanges !== undefined) return { exchanges: [...exchanges] };
    const message = 'No kept response has this ID, or it has expired. GET /admin/unread lists the kept responses.';
    throw new MillraceError('not_found', message);
  });
}

function keptResponses(responses: UnreadResponses | undefined): UnreadResponses {
  if (responses !== undefined) return responses;
  const message = 'This node keeps no responses. Set KEEP_UNREAD on a node with the role api, and restart it.';
  throw new MillraceError('not_found', message);
}
