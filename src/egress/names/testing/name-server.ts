import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';

/** What a resolver asks. */
export interface Question {
  readonly name: string;
  readonly type: 'A' | 'AAAA';
  readonly transport: 'udp' | 'tcp';
}

/** What the server answers: addresses (those of the other family are left out), an error, or no valid answer. */
export type Reply = readonly string[] | 'notFound' | 'failed' | 'refused' | 'truncated' | 'garbage' | 'silence';

/** A name server on loopback. */
export interface NameServer {
  /** Its `address:port`. */
  readonly address: string;
  /** All questions so far. */
  readonly questions: readonly Question[];
}

const HEADER_BYTES = 12;

/** Response codes (RFC 1035 §4.1.1). */
const codes = { failed: 2, notFound: 3, refused: 5 } as const;

/** Opens a name server that answers over UDP and TCP on the same port. Everything that it opens is added to `open`. */
export async function openNameServer(
  answer: (question: Question) => Reply | Promise<Reply>,
  open: { close(): unknown }[],
): Promise<NameServer> {
  const questions: Question[] = [];
  const respond = async (message: Buffer, transport: Question['transport'], send: (response: Buffer) => void) => {
    const { name, type, end } = readQuestion(message);
    if (type !== 1 && type !== 28) throw new Error(`unexpected type ${type} for ${name}`);
    const question: Question = { name, type: type === 1 ? 'A' : 'AAAA', transport };
    questions.push(question);
    const reply = await answer(question);
    if (reply !== 'silence') send(responseTo(message.subarray(0, end), question, reply));
  };

  const udp = createSocket('udp4');
  // Other tests do not use this address, so its port is free for TCP, too.
  udp.bind(0, '127.0.0.53');
  await once(udp, 'listening');
  let isOpen = true;
  open.push({
    close() {
      isOpen = false;
      udp.close();
    },
  });
  udp.on('message', (message, { address, port }) => {
    void respond(message, 'udp', (response) => {
      if (isOpen) udp.send(response, port, address);
    });
  });

  const tcp = createServer((socket: Socket) => {
    // Resolvers close connections at any time.
    socket.on('error', () => socket.destroy());
    socket.on('data', (data: Buffer) => {
      for (let start = 0; start < data.length; ) {
        const end = start + 2 + data.readUInt16BE(start);
        void respond(data.subarray(start + 2, end), 'tcp', (response) => {
          const length = Buffer.alloc(2);
          length.writeUInt16BE(response.length);
          socket.write(Buffer.concat([length, response]));
        });
        start = end;
      }
    });
  });
  const { port } = udp.address();
  tcp.listen(port, '127.0.0.53');
  await once(tcp, 'listening');
  open.push(tcp);
  return { address: `127.0.0.53:${(tcp.address() as AddressInfo).port}`, questions };
}

function readQuestion(message: Buffer) {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

/** Returns the response to the header and the question of a message. */
function responseTo(asked: Buffer, { type }: Question, reply: Exclude<Reply, 'silence'>): Buffer {
  const addresses = typeof reply === 'string' ? [] : reply.map((each) => ipaddr.parse(each).toByteArray());
  const records = addresses.filter((bytes) => bytes.length === (type === 'A' ? 4 : 16));
  const head = Buffer.from(asked);
  head.writeUInt16BE(0x8180 | (reply === 'truncated' ? 0x0200 : 0) | codeOf(reply), 2);
  head.writeUInt16BE(records.length, 6);
  // No record of other sections, such as the options of the question.
  head.writeUInt32BE(0, 8);
  if (reply === 'garbage') return Buffer.concat([head.subarray(0, HEADER_BYTES), Buffer.alloc(40, 0xff)]);
  return Buffer.concat([head, ...records.map((bytes) => recordOf(type, bytes))]);
}

function codeOf(reply: Reply): number {
  return reply === 'failed' || reply === 'notFound' || reply === 'refused' ? codes[reply] : 0;
}

/** Returns an address record of the name that was asked for (RFC 1035 §4.1.3). */
function recordOf(type: Question['type'], address: readonly number[]): Buffer {
  const fields = Buffer.alloc(12);
  fields.writeUInt16BE(0xc000 | HEADER_BYTES, 0);
  fields.writeUInt16BE(type === 'A' ? 1 : 28, 2);
  fields.writeUInt16BE(1, 4);
  fields.writeUInt32BE(60, 6);
  fields.writeUInt16BE(address.length, 10);
  return Buffer.concat([fields, Buffer.from(address)]);
}
