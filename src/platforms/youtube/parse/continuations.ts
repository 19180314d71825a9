import { dig, fields, list, text } from '../../../parsing/values.ts';
import type { UnreadKinds } from '../../unread.ts';
import { createUnreadCounter } from '../../unread.ts';

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

const containers = ['onResponseReceivedActions', 'onResponseReceivedEndpoints', 'onResponseReceivedCommands'];
const listCommands = ['appendContinuationItemsAction', 'reloadContinuationItemsCommand'];

/**
 * Returns the items in a response to a continuation, from any of the three containers, or undefined for a first page. A
 * reload (first load of comments, change of the order) counts as an append.
 */
export function continuationItems(response: unknown): readonly unknown[] | undefined {
  const items: unknown[] = [];
  let any = false;
  for (const command of commandsOf(response)) {
    for (const name of listCommands) {
      const commandItems = dig(command, name, 'continuationItems');
      if (!Array.isArray(commandItems)) continue;
      any = true;
      for (const item of commandItems) items.push(item);
    }
  }
  return any ? items : undefined;
}

/** Counts the commands in a response to a continuation that have a list which {@link continuationItems} omits. */
export function unreadCommands(response: unknown): UnreadKinds {
  const counter = createUnreadCounter();
  for (const command of commandsOf(response)) {
    for (const [name, value] of Object.entries(fields(command))) {
      if (hasUnreadList(name, value)) counter.add(name);
    }
  }
  return counter.kinds();
}

function hasUnreadList(name: string, value: unknown): boolean {
  const isListCommand = listCommands.includes(name);
  if (value === null) return isListCommand;
  return Object.entries(fields(value)).some(([member, entries]) =>
    isListCommand && member === 'continuationItems' ? !Array.isArray(entries) : isListOfElements(entries),
  );
}

/** Returns whether a value is a list of the site's elements. Commands also have lists of other data, such as ads. */
function isListOfElements(value: unknown): boolean {
  return Array.isArray(value) && Object.keys(fields(value[0])).some((name) => /(?:Renderer|ViewModel)$/.test(name));
}

function commandsOf(response: unknown): readonly unknown[] {
  return containers.flatMap((container) => list(dig(response, container)));
}
