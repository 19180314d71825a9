import { AV_CODEC_ID_MOV_TEXT, AV_NOPTS_VALUE, AV_PKT_FLAG_KEY } from 'node-av/constants';
import { type IRational, Packet, type Stream } from 'node-av/lib';
import { CueSamples } from '../../subtitles/cue-samples.ts';
import type { CueTally } from '../../subtitles/cue-tally.ts';
import { limitTimedText } from '../../subtitles/subtitle-text.ts';
import { ticksToSeconds } from '../timestamps.ts';

/** Receives the packets of a subtitle stream of the result, and passes on those that its container can display. */
export interface CueOutput {
  /** Receives a packet whose timestamps are on the result's clock. */
  push(packet: Packet): void;
  /** Called with the time in seconds that another stream has reached. */
  advanceTo(seconds: number): void;
  /** Passes on the held packets. */
  end(): void;
}

/** Time base of timed text in MP4 and QuickTime. */
export const timedTextBase: IRational = { num: 1, den: 1000 };

/** Whether a stream displays one sample at a time. */
export function isTimedText({ codecpar }: Stream): boolean {
  return codecpar.codecId === AV_CODEC_ID_MOV_TEXT;
}

/**
 * Creates the cue output for an MP4 timed text stream. `send` receives packets whose timestamps are in
 * {@link timedTextBase}.
 */
export function createTimedTextOutput(tally: CueTally, send: (packet: Packet) => void): CueOutput {
  const packet = new Packet();
  packet.alloc();
  const samples = new CueSamples(tally, ({ start, end, data }) => {
    packet.data = data;
    packet.pts = packet.dts = BigInt(start);
    packet.duration = BigInt(end - start);
    packet.flags = AV_PKT_FLAG_KEY;
    send(packet);
    packet.unref();
  });
  return {
    push: (from) => {
      const time = timeOf(from);
      if (from.data === null) return;
      if (time === AV_NOPTS_VALUE) tally.addMissing();
      else samples.add(Number(time), Number(from.duration), limitTimedText(from.data));
    },
    advanceTo: (seconds) => samples.advanceTo(seconds * 1000),
    end: () => samples.end(),
  };
}

/**
 * Creates the cue output for a stream whose cues may overlap. Cues that begin before the result's clock are moved to
 * its beginning, because muxers would otherwise delay all other streams. Cues that are out of order begin at the same
 * time as the previous one.
 */
export function createCueOutput(tally: CueTally, base: IRational, send: (packet: Packet) => void): CueOutput {
  let last = 0n;
  /**
   * The last packet that begins before the result's clock and has no end time. The start of the next packet ends it.
   */
  let early: Packet | undefined;
  const write = (packet: Packet, moved: boolean) => {
    packet.pts = packet.dts = last;
    tally.addShown(ticksToSeconds(last, base) ?? 0, moved);
    send(packet);
  };
  const endEarly = (next: bigint) => {
    if (early === undefined) return;
    if (next > 0n) write(early, true);
    else tally.addMissing();
    early.free();
    early = undefined;
  };
  return {
    push: (packet) => {
      const { duration } = packet;
      const own = timeOf(packet);
      const time = own === AV_NOPTS_VALUE ? last : own;
      endEarly(time);
      if (time >= last) {
        last = time;
        write(packet, false);
      } else if (duration > 0n && time + duration > last) {
        if (last > 0n) tally.addLoss('unordered');
        packet.duration = time + duration - last;
        write(packet, true);
      } else if (duration > 0n || last > 0n) {
        tally.addMissing(time < 0n ? 'early' : 'unordered');
      } else {
        early = packet.clone() ?? undefined;
      }
    },
    advanceTo: () => undefined,
    end: () => endEarly(1n),
  };
}

function timeOf({ pts, dts }: Packet): bigint {
  return pts === AV_NOPTS_VALUE ? dts : pts;
}
