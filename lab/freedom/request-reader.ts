/** A request, as far as a server answers it. */
export interface FreeRequest {
  /** 1 for the first request to the server. */
  readonly number: number;
  /** 1 for the first connection. */
  readonly connection: number;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** The `Range` header. */
  readonly range: string | undefined;
  /** Whether a body follows. */
  readonly hasBody: boolean;
  /** The whole body, once it has arrived. */
  body?: Buffer;
  /** Whether the body is accepted by the response. */
  accepted?: boolean;
  /** Status of the response, once it is known. */
  status?: number;
}

/** The head of a request, without its place among the others. */
type RequestHead = Pick<FreeRequest, 'method' | 'target' | 'range' | 'hasBody'> & {
  readonly bytes: number;
  readonly expectsContinue: boolean;
};

/**
 * Returns a function that reads what arrives on a connection.
 *
 * @param onHead Called with each head. Returns what to call with the body once it has arrived.
 */
export function createRequestReader(onHead: (head: RequestHead) => (body: Buffer) => void): (bytes: Buffer) => void {
  let arrived = Buffer.alloc(0);
  let awaited: { readonly bytes: number; readonly onBody: (body: Buffer) => void } | undefined;

  /** Returns whether there may be more. */
  function readNext(): boolean {
    if (awaited !== undefined) {
      const { bytes, onBody } = awaited;
      if (arrived.length < bytes) return false;
      awaited = undefined;
      onBody(arrived.subarray(0, bytes));
      arrived = arrived.subarray(bytes);
      return true;
    }
    const end = arrived.indexOf('\r\n\r\n');
    if (end < 0) return false;
    const head = headOf(arrived.toString('latin1', 0, end));
    arrived = arrived.subarray(end + 4);
    awaited = { bytes: head.bytes, onBody: onHead(head) };
    return true;
  }

  return (bytes) => {
    arrived = Buffer.concat([arrived, bytes]);
    while (readNext());
  };
}

function headOf(text: string): RequestHead {
  const [, method = 'GET', target = '/'] = /^(\S+) (\S+) /.exec(text) ?? [];
  const [, range] = /\r\nrange: ([^\r]*)/i.exec(text) ?? [];
  const [, length = '0'] = /\r\ncontent-length: (\d+)/i.exec(text) ?? [];
  const expectsContinue = /\r\nexpect: 100-continue/i.test(text);
  return {
    method,
    target,
    range,
    hasBody: method === 'PUT' || method === 'POST',
    bytes: Number(length),
    expectsContinue,
  };
}
