const isDefault = 'Leave it out: Millrace always does this.';
const isResumed = 'Leave it out: incomplete files are resumed where possible.';
const asJson = 'Use "millrace info --json" instead.';
const isPublic = 'Leave it out: Millrace only gets public content.';
const isMp4 = 'Leave it out: videos are MP4 files.';

/** Options of yt-dlp that `get` does not have, each with what to do instead. Single letters are short options. */
export const replacements: Readonly<Record<string, string>> = {
  P: 'Set --output to a folder, such as films/.',
  paths: 'Set --output to a folder, such as films/.',
  j: asJson,
  'dump-json': asJson,
  J: asJson,
  'dump-single-json': asJson,
  g: asJson,
  'get-url': asJson,
  c: isResumed,
  continue: isResumed,
  i: isDefault,
  'ignore-errors': isDefault,
  w: isDefault,
  'no-overwrites': isDefault,
  'no-playlist': isDefault,
  'windows-filenames': isDefault,
  'yes-playlist': 'Use the link of the playlist instead.',
  cookies: isPublic,
  'cookies-from-browser': isPublic,
  username: isPublic,
  password: isPublic,
  'merge-output-format': isMp4,
  'remux-video': isMp4,
  'recode-video': isMp4,
};
