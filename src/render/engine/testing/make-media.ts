import { join } from 'node:path';
import { FilterGraph, Frame } from 'node-av/lib';
import { type Container, containers, type EncoderChoice } from '../containers.ts';
import { check } from '../media/check.ts';
import { Encoder, type VideoShape } from '../media/encoder.ts';
import { addFilter, type FilterStep } from '../media/filters.ts';
import { Words } from '../media/words.ts';
import { Writer } from '../media/writer.ts';
import { type MediaName, mediaSeconds } from './media.ts';

/**
 * Makes the media files that tests use, in the directory given as argument: a moving test picture and a tone. Runs in
 * a process of its own, since it loads the media library.
 */
const [directory = '.'] = process.argv.slice(2);

interface Recipe {
  readonly container: Container;
  readonly video?: readonly EncoderChoice[];
  readonly audio?: readonly EncoderChoice[];
}

const { mp4, m4a, mkv, webm, mp3 } = containers;
const avc = { video: mp4.encoders.video, audio: mp4.encoders.audio };
const transport: Container = { ...mp4, muxer: 'mpegts', muxerOptions: {} };
const fragments = { movflags: 'empty_moov+default_base_moof', frag_duration: '1000000' };

const recipes: Record<MediaName, Recipe> = {
  'av.mp4': { container: mp4, ...avc },
  'v.mp4': { container: mp4, video: avc.video },
  'moov-last.mp4': { container: { ...mp4, muxerOptions: {} }, ...avc },
  'fragmented.mp4': { container: { ...mp4, muxerOptions: fragments }, ...avc },
  'a.m4a': { container: m4a, audio: avc.audio },
  'av.mkv': { container: mkv, ...avc },
  'av.ts': { container: transport, ...avc },
  'av.webm': { container: webm, video: webm.encoders.video, audio: webm.encoders.audio },
  'a.webm': { container: webm, audio: webm.encoders.audio },
  'a.mp3': { container: mp3, audio: mp3.encoders.audio },
};

const rate = 25;
const sampleRate = 44_100;
const shape: VideoShape = {
  width: 160,
  height: 90,
  timeBase: { num: 1, den: rate },
  frameRate: { num: rate, den: 1 },
  pixelAspect: { num: 1, den: 1 },
};
const pictures: FilterStep = ['testsrc2', `size=160x90:rate=${rate}:duration=${mediaSeconds}`];
const tone: FilterStep = ['sine', `frequency=440:sample_rate=${sampleRate}:duration=${mediaSeconds}`];

for (const [name, recipe] of Object.entries(recipes)) await make(join(directory, name), recipe);
// A clean exit would run the media library's destructors, which has been seen to crash.
process.kill(process.pid, 'SIGKILL');

async function make(path: string, { container, video, audio }: Recipe): Promise<void> {
  const writer = new Writer(container, path, 1e9, new Words(directory));
  const setup = { threads: 1, globalHeader: writer.globalHeader };
  const feeds: (() => boolean)[] = [];
  if (video !== undefined) {
    const encoder = await Encoder.video(video, shape, writer.addStream(), setup);
    feeds.push(feed(pictures, 'buffersink', encoder));
  }
  if (audio !== undefined) {
    const encoder = await Encoder.audio(audio, { sampleRate, channels: 2 }, writer.addStream(), setup);
    feeds.push(feed(tone, 'abuffersink', encoder));
  }
  await writer.begin();
  // In turns, so that the streams lie side by side in the file.
  while (feeds.map((more) => more()).includes(true));
  await writer.finish();
}

/** A function that encodes one more frame of a source, and says whether there was one. */
function feed(source: FilterStep, sinkName: string, encoder: Encoder): () => boolean {
  const graph = new FilterGraph();
  graph.alloc();
  const steps = [source, ...encoder.steps, [sinkName, ''] as const];
  const filters = steps.map(([name, args], at) => addFilter(graph, name, `${name}${at}`, args));
  filters.slice(1).forEach((filter, at) => {
    check(filters[at]?.link(0, filter, 0) ?? -1, 'test filters could not be joined');
  });
  check(graph.configSync(), 'test filters could not be set up');
  const sink = filters.at(-1);
  const frame = new Frame();
  frame.alloc();
  let ended = false;
  return () => {
    if (ended || sink === undefined) return false;
    const got = sink.buffersinkGetFrameSync(frame);
    ended = got < 0;
    if (ended) {
      encoder.end();
      graph.free();
    } else encoder.push(frame, sink.buffersinkGetTimeBase());
    frame.unref();
    return !ended;
  };
}
