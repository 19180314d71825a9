/** The format and size of an image. */
export interface ImageHeader {
  readonly format: 'jpeg' | 'png' | 'webp';
  /** Size in pixels. */
  readonly width: number;
  readonly height: number;
}

/** Maximum number of markers before the size of a JPEG image. */
const maxMarkers = 4096;

/** Reads the header of a JPEG, PNG or WebP image; undefined for anything else, and for a header without a size. */
export function readImageHeader(bytes: Buffer): ImageHeader | undefined {
  const header = readJpeg(bytes) ?? readPng(bytes) ?? readWebp(bytes);
  return header === undefined || header.width === 0 || header.height === 0 ? undefined : header;
}

/** Reads the IHDR chunk, which must come first (PNG specification §5.6). */
function readPng(bytes: Buffer): ImageHeader | undefined {
  if (bytes.length < 24 || bytes.toString('latin1', 0, 16) !== '\x89PNG\r\n\x1a\n\0\0\0\rIHDR') return undefined;
  return { format: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Reads the first frame header of a JPEG image (ITU-T T.81 §B.2.2). */
function readJpeg(bytes: Buffer): ImageHeader | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  let at = 2;
  for (let count = 0; count < maxMarkers && at + 9 <= bytes.length; count += 1) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    // Any marker may be preceded by fill bytes.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    // C4, C8 and CC are tables and reserved. The other markers from C0 to CF begin a frame.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { format: 'jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** Reads the first chunk of a still WebP image (RFC 9649 §2). */
function readWebp(bytes: Buffer): ImageHeader | undefined {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF') return undefined;
  const size = (width: number, height: number): ImageHeader => ({ format: 'webp', width, height });
  switch (bytes.toString('latin1', 8, 16)) {
    case 'WEBPVP8 ':
      return size(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
    case 'WEBPVP8L': {
      const bits = bytes.readUInt32LE(21);
      return size((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    }
    case 'WEBPVP8X':
      return size(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
    default:
      return undefined;
  }
}
