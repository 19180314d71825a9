import type { PreviewInput, RenderPreview } from '../../contract/render-preview.ts';
import { sizeText } from '../../contract/size-text.ts';
import { formatTable } from '../terminal/table.ts';
import { clockTime } from '../terminal/time-text.ts';

/** Formats the preview of a render for people. */
export function previewText({ message, inputs, operation, result, unfinishedJobs, problems }: RenderPreview): string {
  const { now, left } = unfinishedJobs;
  const facts = [
    ['START', message],
    ...inputs.map((input, index) => [`INPUT ${index + 1}`, inputText(input)]),
    ['OPERATION', `${operation.type}: video ${operation.video}, audio ${operation.audio}`],
    ['RESULT', `${result.ext}, ${resultSize(result)}, available for ${clockTime(result.ttl / 1_000)}`],
    ['UNFINISHED', left === null ? `${now}` : `${now}, with ${left} more allowed`],
    ...problems.map(({ code, message }) => ['PROBLEM', `${message} (${code})`]),
  ];
  return formatTable(facts);
}

function inputText({ ext, size, sizeIsExact, duration, ranges }: PreviewInput): string {
  const bytes = size === null ? 'unknown size' : `${sizeIsExact ? '' : 'about '}${sizeText(size)}`;
  const time = duration === null ? '' : `, ${clockTime(duration)}`;
  return `${ext}, ${bytes}${time}${ranges ? '' : ', no range requests'}`;
}

function resultSize({ size, sizeAtMost }: RenderPreview['result']): string {
  if (size !== null) return `about ${sizeText(size)}`;
  return sizeAtMost === null ? 'unknown size' : `up to about ${sizeText(sizeAtMost)}`;
}
