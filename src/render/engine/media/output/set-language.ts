import { Dictionary } from 'node-av/lib';
import { languageForMuxer } from '../../languages/written-language.ts';
import type { OutputStream } from './result-writer.ts';

/** Sets the language of a stream of the result, in place of the one that it took over. */
export function setLanguage(output: OutputStream, tag: string, muxer: string): void {
  const { stream } = output;
  output.languageTag = tag;
  stream.metadata = Dictionary.fromObject({ ...stream.metadata?.getAll(), language: languageForMuxer(tag, muxer) });
}
