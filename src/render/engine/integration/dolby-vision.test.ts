import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputContainer } from '../../../contract/containers.ts';
import type { Engine } from '../engine.ts';
import { box } from '../mp4/box-writer.ts';
import { changeMp4, changeSampleEntry } from '../testing/change-mp4.ts';
import { createInProcessEngine } from '../testing/in-process-engine.ts';
import { processAndVerify } from '../testing/process-and-verify.ts';
import { describeMedia, type MediaDirectory, makeMedia } from '../testing/test-media.ts';

let media: MediaDirectory;
let engine: Engine;
beforeAll(async () => {
  media = await makeMedia('dolby.mp4', 'hevc.mp4');
  engine = createInProcessEngine();
});
afterAll(async () => {
  await engine?.close();
  media?.remove();
});

/**
 * Builds the configuration box of Dolby Vision, version 1.0, level 6, with metadata and a base layer (Dolby Vision
 * Streams Within the ISO Base Media File Format, §2.2).
 *
 * @param compatibility - 0 if players without Dolby Vision show wrong colours, 1 for HDR10, 4 for HLG.
 */
function configuration(profile: number, compatibility: number): Buffer {
  const fields = Buffer.of(1, 0, profile << 1, (6 << 3) | 0b101, compatibility << 4);
  return box(profile > 7 ? 'dvvC' : 'dvcC', fields, Buffer.alloc(19));
}

/** Codes of the sample entries, their codecs, and the profiles and compatibilities of the configuration. */
const variants: readonly [code: string, codec: 'av1' | 'hevc', profile: number, compatibility: number][] = [
  ['av01', 'av1', 10, 1],
  ['dav1', 'av1', 10, 0],
  ['hvc1', 'hevc', 8, 4],
  ['dvh1', 'hevc', 5, 0],
];

describe.each(variants)('Dolby Vision of %s (%s, profile %d.%d)', (code, codec, profile, compatibility) => {
  const run = async (ext: OutputContainer, copyStreams = true) => {
    const added = configuration(profile, compatibility);
    const file = readFileSync(media.file(codec === 'av1' ? 'dolby.mp4' : 'hevc.mp4'));
    writeFileSync(media.file('vision.mp4'), changeMp4(file, changeSampleEntry(0, code, added)));
    const { path, report } = await processAndVerify(engine, media, { inputs: ['vision.mp4'], ext, copyStreams });
    const [stream] = (await describeMedia(path)).streams;
    return { path, codec: stream?.codec, isKept: stream?.flags.includes('Dolby Vision'), notes: report.notes };
  };

  it('is kept in an MP4 copy', async () => {
    const { path, notes, ...stream } = await run('mp4');
    expect([stream, notes]).toEqual([{ codec, isKept: true }, []]);
    expect(readFileSync(path).includes(code)).toBe(true);
  });

  it('has a note in a Matroska copy, whose muxer does not write it', async () => {
    const { path: _, notes, ...stream } = await run('mkv');
    const message = `The ${codec} video of input 1 was copied without its Dolby Vision configuration, which cannot be written to Matroska.`;
    expect([stream, notes]).toEqual([{ codec, isKept: false }, [{ code: 'hdr_metadata_lost', message, input: 0 }]]);
  });
});
