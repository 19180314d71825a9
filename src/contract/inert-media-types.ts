/**
 * Media types that browsers display or play but never run, each with its file extensions, the usual one first. An
 * extension that several types share belongs to the first. Types are compared as a whole: the prefix `image/` would
 * also allow `image/svg+xml`, which can contain scripts.
 */
const passiveTypes = {
  'video/mp4': ['mp4'],
  'video/x-m4v': ['m4v'],
  'video/iso.segment': ['m4s', 'cmfv', 'cmfa', 'cmft'],
  'video/webm': ['webm'],
  'video/ogg': ['ogv'],
  'video/quicktime': ['mov', 'qt'],
  'video/x-matroska': ['mkv'],
  'video/matroska': ['mkv'],
  'video/mp2t': ['ts'],
  // Apache's type for .ts.
  'video/vnd.dlna.mpeg-tts': ['ts'],
  'video/mpeg': ['mpg', 'mpeg'],
  'video/3gpp': ['3gp'],
  'video/3gpp2': ['3g2'],
  'video/x-msvideo': ['avi'],
  'video/x-ms-wmv': ['wmv'],
  'video/x-flv': ['flv'],
  'application/mp4': ['mp4'],
  'audio/mp4': ['m4a'],
  'audio/x-m4a': ['m4a'],
  'audio/m4a': ['m4a'],
  'audio/mpeg': ['mp3'],
  'audio/mp3': ['mp3'],
  'audio/aac': ['aac'],
  'audio/x-aac': ['aac'],
  'audio/aacp': ['aac'],
  'audio/ogg': ['ogg', 'oga', 'opus'],
  'audio/opus': ['opus'],
  'audio/webm': ['weba'],
  'audio/wav': ['wav'],
  'audio/x-wav': ['wav'],
  'audio/wave': ['wav'],
  'audio/vnd.wave': ['wav'],
  'audio/flac': ['flac'],
  'audio/x-flac': ['flac'],
  'audio/x-matroska': ['mka'],
  'audio/matroska': ['mka'],
  'audio/3gpp': ['3gp'],
  'audio/ac3': ['ac3'],
  'audio/eac3': ['ec3'],
  'audio/amr': ['amr'],
  'audio/aiff': ['aiff'],
  'audio/x-ms-wma': ['wma'],
  'image/jpeg': ['jpeg', 'jpg'],
  'image/jpg': ['jpg'],
  'image/png': ['png'],
  'image/apng': ['apng'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'image/avif': ['avif'],
  'image/heic': ['heic'],
  'image/heif': ['heif'],
  'image/bmp': ['bmp'],
  'image/tiff': ['tiff', 'tif'],
  'image/jxl': ['jxl'],
  'text/vtt': ['vtt'],
} as const satisfies Record<string, readonly string[]>;

/** A media type that browsers display or play but never run. */
type PassiveType = keyof typeof passiveTypes;

/** The type of all other files. Browsers save them. */
export const opaqueType = 'application/octet-stream';

/** The only types that untrusted content is sent with. */
export type InertType = PassiveType | typeof opaqueType;

/** The type of an HLS playlist (RFC 8216 §4). The relay sends it after replacing every address in the playlist. */
export const playlistType = 'application/vnd.apple.mpegurl';

const byExtension = new Map<string, PassiveType>();
for (const [type, extensions] of Object.entries(passiveTypes)) {
  for (const extension of extensions) {
    if (!byExtension.has(extension)) byExtension.set(extension, type as PassiveType);
  }
}

/** Whether a media type, without parameters and in lower case, is one that browsers never run. */
export function isPassiveType(type: string): type is PassiveType {
  return Object.hasOwn(passiveTypes, type);
}

/** Returns the type to send a file with, by its file extension. */
export function inertTypeOf(fileName: string): InertType {
  const extension = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase();
  return byExtension.get(extension) ?? opaqueType;
}

/** Returns the usual extension of a type, without a dot. */
export function extensionOf(type: PassiveType): string {
  return passiveTypes[type][0];
}
