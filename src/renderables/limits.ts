import type { Plan } from '../contract/plans.ts';
import { sizeText } from '../contract/status.ts';

/** Why a file is larger than its plan allows; the size in bytes, and whether it is a guess. */
export function overSize(label: string, bytes: number, estimated: boolean, { name, renderSize }: Plan): string {
  const size = `${estimated ? 'about ' : ''}${sizeText(bytes)}`;
  return `Over the plan size limit: ${label} takes ${size}, and plan ${name} allows ${sizeText(renderSize)} a file.`;
}

/** Why a format comes after those that its plan prepares. */
export function beyondCount({ name, renderableCount }: Plan): string {
  const formats = renderableCount === 1 ? '1 format' : `${renderableCount} formats`;
  return `Beyond the plan renderable count: plan ${name} prepares ${formats} a request.`;
}
