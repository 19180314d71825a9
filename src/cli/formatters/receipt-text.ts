import type { ReceiptStatement } from '../../contract/receipt.ts';
import { sizeText } from '../../contract/size-text.ts';
import { formatTable } from '../terminal/table.ts';

type Input = ReceiptStatement['inputs'][number];

/** Formats the statement of a verified receipt. */
export function receiptText(keyId: string, statement: ReceiptStatement): string {
  const { inputs, exitCountry, clip, output, notes, software } = statement;
  return formatTable([
    ['Signed by', `key ${keyId}`],
    ['File', `${sizeText(output.bytes)}, SHA-256 ${output.sha256}`],
    ['Source', sourceOf(statement)],
    ...inputs.flatMap((input, index) => inputRows(input, index)),
    ['Fetched from', exitCountry ?? 'a country that is not stated'],
    ['Operation', operationOf(statement)],
    ...(clip === undefined
      ? []
      : [['Clip', `from ${clip.start} s to ${clip.end === undefined ? 'the end' : `${clip.end} s`}`]]),
    ...additionRows(statement),
    ['Result', proofOf(statement)],
    ...notes.map(({ message }) => ['Note', message]),
    ['Started', statement.startedAt],
    ['Finished', statement.finishedAt],
    ['Made with', `Millrace ${software.millrace}, node-av ${software.nodeAv}, FFmpeg ${software.ffmpeg}`],
  ]);
}

function sourceOf({ item, inputs }: ReceiptStatement): string {
  if (item === null) return 'inputs that the caller named';
  const { platform, endpoint, parameters, content, profile } = item;
  const named = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
  // The inputs state which clients returned their bytes.
  const client = profile === null || inputs.some(({ links }) => links !== undefined) ? [] : [`client ${profile}`];
  return [platform, endpoint, ...named, `item ${content + 1}`, ...client].join(' ');
}

function inputRows({ ext, language, representation, host, links, files }: Input, index: number) {
  const named = representation === null ? [] : [`${representation.kind} ${representation.repId}`];
  const subject = [
    ext,
    ...(language === undefined ? [] : [language]),
    ...named,
    ...(host === null ? [] : [`from ${host}`]),
  ].join(' ');
  const name = `Input ${index + 1}`;
  const rows = files.map(({ bytes, sha256 }) => [name, `${subject}: ${sizeText(bytes)}, SHA-256 ${sha256}`]);
  return links === undefined ? rows : [...rows, ...linkRows(name, links)];
}

function operationOf({ operation }: ReceiptStatement): string {
  const {
    type,
    container,
    copyStreams,
    audioBitrate,
    loudness,
    video = {},
    secondsPerImage,
    duration,
    volumes,
    maxSize,
  } = operation;
  const { maxHeight, maxFps, codec, crop } = video;
  return [
    `${type} into ${container}`,
    copyStreams ? 'streams copied' : 'streams may be encoded again',
    ...(audioBitrate === undefined ? [] : [`audio with ${audioBitrate} kbit/s`]),
    ...(loudness === undefined ? [] : [`loudness ${loudness} LUFS`]),
    ...(codec === undefined ? [] : [`video ${codec}`]),
    ...(maxHeight === undefined ? [] : [`at most ${maxHeight}p`]),
    ...(maxFps === undefined ? [] : [`at most ${maxFps} fps`]),
    ...(crop === undefined ? [] : [`cropped to ${crop}`]),
    ...(secondsPerImage === undefined ? [] : [`${secondsPerImage} s per image`]),
    ...(duration === undefined ? [] : [`duration ${duration}`]),
    ...(volumes === undefined ? [] : [`volumes ${volumes.join(' and ')}`]),
    ...(maxSize === undefined ? [] : [`at most ${sizeText(maxSize)}`]),
  ].join(', ');
}

function additionRows({ additions: { metadata, chapters, cover, subtitles = [] } = {} }: ReceiptStatement) {
  return [
    ...(metadata === undefined ? [] : [['Tags', `${metadata.tags.join(', ')}: SHA-256 ${metadata.sha256}`]]),
    ...(chapters === undefined ? [] : [['Chapters', `${chapters.count}: SHA-256 ${chapters.sha256}`]]),
    ...(cover === undefined ? [] : [['Cover', addedFileOf(cover)]]),
    ...subtitles.map(({ format, language, title, ...file }) => {
      const subject = [format, ...(language === undefined ? [] : [language]), ...(title === undefined ? [] : [title])];
      return ['Subtitles', `${subject.join(' ')}, ${addedFileOf(file)}`];
    }),
  ];
}

function addedFileOf({ host, bytes, sha256 }: { host: string | null; bytes: number; sha256: string }): string {
  return `${host === null ? '' : `from ${host}, `}${sizeText(bytes)}, SHA-256 ${sha256}`;
}

function linkRows(name: string, { profiles, replacedLinks }: NonNullable<Input['links']>) {
  const clients = profiles.length === 0 ? [] : [`through client ${profiles.join(', then ')}`];
  const times = replacedLinks === 1 ? 'once' : `${replacedLinks} times`;
  const facts = [...clients, ...(replacedLinks === 0 ? [] : [`link replaced ${times}`])];
  return facts.length === 0 ? [] : [[name, facts.join(', ')]];
}

function proofOf({ proof }: ReceiptStatement): string {
  if (proof.kind === 'unchanged') return 'stored as it was fetched';
  return proof.streams
    .map(({ kind, codec, packets, duration }) => {
      const facts = [
        ...(packets === null ? [] : [`${packets} packets`]),
        ...(duration === null ? [] : [`${duration.toFixed(2)} s`]),
      ];
      return `${kind} ${codec}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`;
    })
    .join(', ');
}
