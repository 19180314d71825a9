import type { WebSocket } from '@fastify/websocket';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import { checkJobIdInPath } from '../contract/job-id.ts';
import type { PathParameters } from '../contract/render-api/paths.ts';
import type { ResultOf, Route } from '../contract/render-api/route.ts';

/** The parameters of a route by place. Handlers check those of the query. */
interface RouteParameters<R extends Route> {
  Params: PathParameters<R['path']>;
  Querystring: R['query'] extends TObject<infer Query> ? { readonly [Name in keyof Query]?: unknown } : unknown;
}

/** A request of a route. */
export type RouteRequest<R extends Route> = FastifyRequest<RouteParameters<R>>;

/** Handles requests of a route: returns the JSON of the response, or sends the response itself. */
export type RouteHandler<R extends Route> = (
  request: RouteRequest<R>,
  reply: FastifyReply,
) => Promise<ResultOf<R> | FastifyReply> | FastifyReply | undefined;

/** How a route is served, beyond what its description says. */
export interface RouteOptions<R extends Route> {
  /** Handles HEAD. Default: the handler of GET. */
  readonly head?: RouteHandler<R>;
  /** Takes the WebSockets that the route opens. */
  readonly socket?: (socket: WebSocket, request: RouteRequest<R>) => void;
  /** Set if responses must not be compressed. */
  readonly compress?: false;
}

/** Registers the handler of a route under its method and path. */
export function addRoute<R extends Route>(
  app: FastifyInstance,
  route: R,
  handler: RouteHandler<R>,
  { head, socket, ...options }: RouteOptions<R> = {},
): void {
  const url = route.path.replace(/\{(\w+)\}/g, ':$1');
  const checks = url.includes('/:jobId') ? { preValidation: checkJobId } : {};
  const isGet = route.method === 'GET';
  app.route<RouteParameters<R>>({
    method: isGet && head === undefined ? ['GET', 'HEAD'] : route.method,
    url,
    handler,
    exposeHeadRoute: false,
    ...checks,
    ...options,
    ...(socket === undefined ? {} : { wsHandler: socket }),
    ...(route.body?.limit === undefined ? {} : { bodyLimit: route.body.limit }),
  });
  if (head !== undefined) app.route<RouteParameters<R>>({ method: 'HEAD', url, handler: head, ...checks });
}

/** Checks the id in the path of a request for a job, before a WebSocket is opened. */
async function checkJobId({ params }: FastifyRequest): Promise<void> {
  if (typeof params === 'object' && params !== null && 'jobId' in params) checkJobIdInPath(String(params.jobId));
}
