import { dig, list, text } from '../../../parsing/values.ts';

/**
 * Returns the token of a `continuationItemRenderer` or `continuationItemViewModel`, which leads to the next items of
 * the list. It is under the endpoint, among an executor's commands, under a "Show more" button, or (playlists since
 * 2026-07) under an `innertubeCommand`.
 */
export function readContinuation(item: unknown): string | undefined {
  return (
    commandToken(dig(item, 'continuationEndpoint')) ??
    commandToken(dig(item, 'continuationCommand', 'innertubeCommand')) ??
    commandToken(dig(item, 'button', 'buttonRenderer', 'command'))
  );
}

/** Returns the token of a command, or of one of the commands that it executes. */
function commandToken(command: unknown): string | undefined {
  const token = text(dig(command, 'continuationCommand', 'token'));
  if (token !== undefined) return token;
  return list(dig(command, 'commandExecutorCommand', 'commands'))
    .map((one) => text(dig(one, 'continuationCommand', 'token')))
    .find((one) => one !== undefined);
}

/** Returns the token in the format used before 2021: `continuations: [{nextContinuationData: {continuation}}]`. */
export function readLegacyContinuation(node: unknown): string | undefined {
  return text(dig(node, 'continuations', 0, 'nextContinuationData', 'continuation'));
}

/**
 * Returns the items in a response to a continuation, from any of the three containers, or undefined for a first page. A
 * reload (first load of comments, change of the order) counts as an append.
 */
export function continuationItems(response: unknown): readonly unknown[] | undefined {
  const items: unknown[] = [];
  let any = false;
  for (const container of ['onResponseReceivedActions', 'onResponseReceivedEndpoints', 'onResponseReceivedCommands']) {
    for (const action of list(dig(response, container))) {
      const actionItems =
        dig(action, 'appendContinuationItemsAction', 'continuationItems') ??
        dig(action, 'reloadContinuationItemsCommand', 'continuationItems');
      if (!Array.isArray(actionItems)) continue;
      any = true;
      for (const item of actionItems) items.push(item);
    }
  }
  return any ? items : undefined;
}
