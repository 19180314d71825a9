import type { Extraction } from '../platforms/platform.ts';
import { listPageAt } from '../platforms/probe-fields.ts';
import { classifyFailure } from './findings/classify-failure.ts';
import { driftIf, type Finding } from './findings/finding.ts';
import { unreadProblems } from './findings/unread-problems.ts';

/**
 * Checks that a list has a next page with other entries.
 *
 * @param path Path of the list in the response.
 * @param fetchPage Fetches the page of a `nextToken`.
 */
export async function checkNextPage(
  firstPage: Extraction,
  path: string,
  fetchPage: (nextToken: string) => Promise<Extraction>,
): Promise<Finding> {
  const problem = (message: string) => driftIf([{ kind: 'next_page', message }]);
  const first = listPageAt(firstPage, path);
  if (first === undefined || first.nextToken === null) return problem(`${path} has no next page.`);
  try {
    const nextPage = await fetchPage(first.nextToken);
    const entries = listPageAt(nextPage, path)?.entries ?? [];
    if (entries.length === 0) return problem(`The next page of ${path} is empty.`);
    const isRepeated = entries.every((entry) => first.entries.includes(entry));
    return isRepeated
      ? problem(`The next page of ${path} repeats the first.`)
      : driftIf(unreadProblems(nextPage.unread));
  } catch (error) {
    return classifyFailure(error);
  }
}
