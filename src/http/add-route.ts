import type { WebSocket } from '@fastify/websocket';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PathParameters } from '../contract/render-api/paths.ts';
import type { Endpoint, ResultOf } from '../contract/render-api/route.ts';

/** The value that a parser of a route returns. */
type ParserResult<Part> = Part extends { readonly parse: (values: never) => infer Value } ? Value : unknown;

/** The parameters and the body of a route, as its parsers return them. */
interface RouteContent<R extends Endpoint> {
  Params: PathParameters<R['path']>;
  Querystring: ParserResult<R['query']>;
  Body: ParserResult<R['body']>;
}

/** A request to a route, checked by the route's parsers. */
type RouteRequest<R extends Endpoint> = FastifyRequest<RouteContent<R>>;

/** Handles requests to a route: returns the JSON of the response, or sends the response itself. */
type RouteHandler<R extends Endpoint> = (
  request: RouteRequest<R>,
  reply: FastifyReply,
) => Promise<ResultOf<R> | FastifyReply> | FastifyReply | undefined;

/** Handles requests to a route whose callers are authenticated. */
export type AuthenticatedHandler<R extends Endpoint, Caller> = (
  caller: Caller,
  request: RouteRequest<R>,
  reply: FastifyReply,
) => ReturnType<RouteHandler<R>>;

/** Options for serving a route, beyond its description. */
export interface RouteOptions<R extends Endpoint> {
  /** Handles HEAD; false if the route does not support it. Default: the handler of GET. */
  readonly head?: RouteHandler<R> | false;
  /** Handles the WebSockets that the route opens. */
  readonly socket?: (socket: WebSocket, request: RouteRequest<R>) => void;
  /** Called before anything else is done for a request. If it throws, the request is refused. */
  readonly admit?: (request: FastifyRequest) => void;
  /** Set to false if responses must not be compressed. */
  readonly compress?: false;
  /** Set if responses hold a file or a connection to a source open. Their number is limited. */
  readonly isDownload?: true;
}

/** Registers the handler of a route under its method and path. The parsers of the route check each request. */
export function addRoute<R extends Endpoint>(
  app: FastifyInstance,
  route: R,
  handler: RouteHandler<R>,
  options: RouteOptions<R> = {},
): void {
  addAuthenticatedRoute(
    app,
    route,
    async () => undefined,
    (_, ...call) => handler(...call),
    options,
  );
}

/**
 * Registers the handler of a route whose callers are authenticated. `authenticate` throws if authentication fails. The
 * body is read afterwards, so that nobody without a key makes the service hold one; then the query and the body are
 * checked.
 */
export function addAuthenticatedRoute<R extends Endpoint, Caller>(
  app: FastifyInstance,
  route: R,
  authenticate: (request: FastifyRequest) => Promise<Caller>,
  handler: AuthenticatedHandler<R, Caller>,
  { head, socket, admit, isDownload, compress }: RouteOptions<R> = {},
): void {
  const url = route.path.replace(/\{(\w+)\}/g, ':$1');
  const isGet = route.method === 'GET';
  const common = {
    url,
    exposeHeadRoute: false,
    config: { isDownload: isDownload === true, ...(compress === undefined ? {} : { compress }) },
  };
  const callers = new WeakMap<FastifyRequest, Caller>();
  app.route<RouteContent<R>>({
    ...common,
    method: isGet && head === undefined ? ['GET', 'HEAD'] : route.method,
    // This happens before a WebSocket is opened.
    async preParsing(request: FastifyRequest) {
      admit?.(request);
      parseParameters(route, request);
      callers.set(request, await authenticate(request));
    },
    async handler(request, reply) {
      parseContent(route, request);
      // The hook has set it: `Caller` may be undefined.
      return await handler(callers.get(request) as Caller, request, reply);
    },
    ...(socket === undefined ? {} : { wsHandler: socket }),
    ...(route.body?.limit === undefined ? {} : { bodyLimit: route.body.limit }),
  });
  if (head === undefined || head === false) return;
  app.route<RouteContent<R>>({
    ...common,
    method: 'HEAD',
    preParsing: async (request: FastifyRequest) => parseParameters(route, request),
    handler(request, reply) {
      parseContent(route, request);
      return head(request, reply);
    },
  });
}

/**
 * Checks the path parameters of a request.
 *
 * @throws MillraceError if a parameter of the path is not valid.
 */
function parseParameters({ parameters }: Endpoint, request: FastifyRequest): void {
  if (parameters?.parse !== undefined) request.params = parameters.parse(asRecord(request.params));
}

/**
 * Checks the query and the body of a request.
 *
 * @throws MillraceError if the query or the body is not valid.
 */
function parseContent({ query, body }: Endpoint, request: FastifyRequest): void {
  if (query?.parse !== undefined) request.query = query.parse(asRecord(request.query));
  if (body !== undefined) request.body = body.parse(request.body);
}

/** Types paths and queries, which the server always parses to objects. */
function asRecord(values: unknown): Readonly<Record<string, unknown>> {
  return values as Readonly<Record<string, unknown>>;
}
