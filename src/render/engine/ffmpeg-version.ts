/**
 * The version of FFmpeg in node-av. It is repeated here because only the engine's children load the library; a test
 * compares the two.
 */
export const ffmpegVersion = '8.1';
