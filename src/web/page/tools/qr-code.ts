import { generate } from 'lean-qr';
import { toSvgPath } from 'lean-qr/extras/svg';

/** A QR code as the outline of its dark squares. */
export interface QrCode {
  readonly path: string;
  /** The box of the code with its quiet zone. */
  readonly viewBox: string;
}

/** Width of the quiet zone around a code, in squares (ISO/IEC 18004). */
const QUIET_ZONE = 4;
/** Maximum length of a text, in characters: a denser code is hard to scan. */
const MAX_LENGTH = 1_000;

/** Returns the QR code of a text; undefined if the text is too long. */
export function qrCodeOf(text: string): QrCode | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const code = generate(text);
  const width = code.size + 2 * QUIET_ZONE;
  return { path: toSvgPath(code), viewBox: `${-QUIET_ZONE} ${-QUIET_ZONE} ${width} ${width}` };
}
