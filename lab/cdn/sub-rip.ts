/** Returns subtitles in SubRip with one line every two seconds, which names the language. */
export function subRip(language: string, seconds: number): string {
  return Array.from({ length: Math.floor(seconds / 2) }, (_, index) => {
    const [from, to] = [clock(index * 2), clock(index * 2 + 2)];
    return `${index + 1}\n${from} --> ${to}\n[${language}] Line ${index + 1}\n`;
  }).join('\n');
}

function clock(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(11, 19)},000`;
}
