/** FFmpeg's name of the demuxer of MP4 and QuickTime files. */
export const isoFormat = 'mov,mp4,m4a,3gp,3g2,mj2';
