import type { Unusual } from './unusual-file.ts';

/** The language of the audio in both forms. */
const [tag, code] = ['pt-BR', 'por'] as const;

/** Elements of a track that FFmpeg writes one after the other (RFC 9559 §5.1.4.1): TrackUID, FlagLacing and Language. */
const identity = Buffer.from('73c5880000000000000002', 'hex');
const lacing = Buffer.from('9c8100', 'hex');
const language = Buffer.from('22b59c83756e64', 'hex');

/** Matroska files whose audio states its language as newer programs do: LanguageBCP47. */
export const languageFiles: Readonly<Record<string, Unusual>> = {
  'languages.mkv': {
    about: `states the language of its audio as a code (${code}) and as a tag (${tag})`,
    source: 'movie-180.mkv',
    patch(bytes) {
      const short = Buffer.from('73c58102', 'hex');
      replace(bytes, [identity, lacing, language], [short, languageElement(0x9c, code), languageElement(0x9d, tag)]);
    },
  },
  'language-tag.mkv': {
    about: `states the language of its audio as a tag (${tag}) only`,
    source: 'movie-180.mkv',
    patch: (bytes) => replace(bytes, [identity, lacing, language], [identity, languageElement(0x9d, tag)]),
  },
};

function languageElement(lastIdByte: number, text: string): Buffer {
  return Buffer.concat([Buffer.of(0x22, 0xb5, lastIdByte, 0x80 | text.length), Buffer.from(text, 'latin1')]);
}

/**
 * Replaces elements of the audio track. The last new one is a text and gets the bytes that remain, because texts may
 * end with zeros (RFC 8794 §7.4). FlagLacing can be left out: its default allows what the file does not use.
 */
function replace(bytes: Buffer, former: readonly Buffer[], elements: readonly Buffer[]): void {
  const before = Buffer.concat(former);
  const at = bytes.indexOf(before);
  const last = elements.at(-1);
  if (at < 0 || last === undefined) throw new Error('The Matroska file has no such track.');
  const written = Buffer.concat(elements);
  const rest = before.length - written.length;
  written.copy(bytes, at);
  bytes.fill(0, at + written.length, at + before.length);
  // The length of the last element follows its ID of three bytes.
  bytes.writeUInt8(0x80 | (last.length - 4 + rest), at + written.length - last.length + 3);
  // The first element of the tracks is a checksum, which becomes empty space.
  const tracks = bytes.lastIndexOf(Buffer.from('1654ae6b', 'hex'), at);
  bytes.writeUInt8(0xec, bytes.indexOf(Buffer.from('bf84', 'hex'), tracks));
}
