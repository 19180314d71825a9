import { type ItemTask, type MediaItem, MillraceApiError } from '#client/index.ts';
import { messages } from '../language/language.ts';
import { readQuery } from '../query/query.ts';
import { findFiles } from './find-files.ts';
import { progressOf, type QueueFile, type QueueItem } from './queue-item.ts';
import { shortTitle } from './short-title.ts';

/** Changes of an item while it runs. */
export type ItemChanges = Partial<
  Pick<QueueItem, 'title' | 'thumbnailUrl' | 'progress' | 'files' | 'count' | 'executionUrl' | 'expiresAt'>
>;

/**
 * Gets the files of an item, one after the other. Attaches to the render that was running when the page was closed.
 *
 * @throws MillraceApiError, MillraceNetworkError, MillraceRenderError; Error if the item has no file of the wanted kind.
 */
export async function runItem(item: QueueItem, report: (changes: ItemChanges) => void, task: ItemTask): Promise<void> {
  const { source, wanted, executionUrl, again = false } = item;
  const query = readQuery(source);
  if (query === undefined) throw new Error(messages().collection.damaged);
  let { files } = item;
  let count = item.count ?? 1;

  const addFile = (file: QueueFile) => {
    files = [...files, file];
    report({ files, executionUrl: undefined, progress: progressOf({ files, count }, 0) });
  };
  const finish = async (url: string) => {
    report({ executionUrl: url });
    const { output, expires_at: expiresAt } = await task.finish(url);
    report({ expiresAt });
    addFile({ url: output.url, size: output.size });
  };

  if (executionUrl !== undefined && !again) await unlessExpired(() => finish(executionUrl));
  if (files.length >= count) return;
  const found = await findFiles(query, wanted, { signal: task.signal, fresh: again });
  count = found.count;
  report({
    count,
    ...(found.title === undefined || !isLinkTitle(item) ? {} : { title: shortTitle(found.title) }),
    ...(found.thumbnailUrl === undefined || item.thumbnailUrl !== undefined
      ? {}
      : { thumbnailUrl: found.thumbnailUrl }),
  });
  while (files.length < count) {
    const target = await found.find(files.length);
    if (target.by === 'render') await finish(target.executionUrl);
    else addFile(fileOf(target.item));
  }
}

function fileOf({ url, metadata: { content_length: size } }: MediaItem): QueueFile {
  return { url, ...(size === undefined ? {} : { size }) };
}

/** Runs an action. If its links have expired, does nothing. */
async function unlessExpired(action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    const hasExpired =
      error instanceof MillraceApiError && (error.code === 'expired' || error.code === 'token_expired');
    if (!hasExpired) throw error;
  }
}

/** Whether the title of an item is only its link, because its result had not been fetched. */
function isLinkTitle({ title }: QueueItem): boolean {
  return title.includes('://');
}
