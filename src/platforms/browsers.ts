/**
 * User agents of current browsers, shared by the platforms. In 2026-08, TikTok served Chrome 150 and later, but refused
 * Chrome 140 to 149 (yt-dlp 17403).
 */
const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/154.0.0.0';

/** Chrome on Windows. */
export const desktopBrowser = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36`;

/** Chrome on an Android phone. */
export const androidBrowser = `Mozilla/5.0 (Linux; Android 10; K) ${chrome} Mobile Safari/537.36`;
