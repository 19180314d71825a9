/** FFmpeg's name of the MP4 and QuickTime demuxer. */
export const isoFormat = 'mov,mp4,m4a,3gp,3g2,mj2';
