import type { Egress, EgressRequest } from '../../egress/egress.ts';

/** A simulated server's reply to a request. */
export interface FakeReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Thrown after the body. */
  readonly error?: Error;
}

/** Creates an exit to a simulated server, whose requests are recorded. */
export function fakeExit(
  reply: (request: EgressRequest) => FakeReply,
): Egress & { readonly requests: EgressRequest[] } {
  const requests: EgressRequest[] = [];
  return {
    requests,
    async exchange(request, receive) {
      requests.push(request);
      const { status = 200, headers = {}, body, error } = reply(request);
      if (body === undefined && error !== undefined) throw error;
      const head = { status, headers, url: request.url };
      await receive(head)?.write(Buffer.from(body ?? ''));
      if (error !== undefined) throw error;
      return head;
    },
    close: () => Promise.resolve(),
  };
}

/** Serves a file with byte ranges. */
export function serveFile(file: Buffer, type = 'video/mp4') {
  return ({ headers }: EgressRequest): FakeReply => {
    const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(headers?.values.range ?? '') ?? [];
    const body = file.subarray(Number(from), to === '' ? undefined : Number(to) + 1);
    const range = `bytes ${from}-${Number(from) + body.length - 1}/${file.length}`;
    return { status: 206, headers: { 'content-type': type, 'content-range': range }, body };
  };
}
