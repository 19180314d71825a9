import type { ReceiptStatement } from '../../contract/receipt.ts';

/** A statement about a file with this content, given by its size and hash. */
export function exampleStatement(output: ReceiptStatement['output']): ReceiptStatement {
  return {
    version: 1,
    item: {
      platform: 'p1',
      endpoint: '/video/details',
      parameters: { videoId: 'lab-plain30' },
      content: 0,
      profile: 'visionos',
    },
    inputs: [
      {
        ext: 'mp4',
        representation: { repId: '137', kind: 'video' },
        host: null,
        files: [{ bytes: 5, sha256: 'a'.repeat(64) }],
      },
    ],
    exitCountry: 'FR',
    operation: { type: 'convert_format', copyStreams: true, container: 'mp4' },
    output,
    proof: {
      kind: 'compared',
      streams: [{ kind: 'video', codec: 'h264', packets: 900, duration: 30 }],
      chapters: 0,
      duration: 30,
    },
    notes: [],
    startedAt: '2026-11-26T04:00:00.000Z',
    finishedAt: '2026-11-26T04:00:09.000Z',
    software: { millrace: '0.2.0', nodeAv: '6.1.1', ffmpeg: '8.1' },
  };
}
