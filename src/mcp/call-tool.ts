import { startDeadline } from '#client/http/deadline.ts';
import { toolLimits } from './limits.ts';
import { createArgumentReader, type ReadArguments } from './read-arguments.ts';
import type { Tool, ToolContext } from './tool.ts';
import { toolErrorOf } from './tool-error.ts';
import { sanitiseValue } from './untrusted-text.ts';

/** The result of a tool call: the same data as text and as JSON. */
type ToolResult = {
  readonly content: { type: 'text'; text: string }[];
  readonly structuredContent: Record<string, unknown>;
  readonly isError?: true;
};

/** A tool with the reader of its arguments. */
export interface CallableTool extends Tool {
  readonly readArguments: ReadArguments;
}

/** Prepares tools for calls. Compiles their schemas. */
export function makeCallable(tools: readonly Tool[]): readonly CallableTool[] {
  return tools.map((tool) => ({ ...tool, readArguments: createArgumentReader(tool.input) }));
}

/** A call of a tool. */
interface ToolCall {
  readonly args: unknown;
  readonly context: Omit<ToolContext, 'signal'>;
  /** Each of them cancels the call. */
  readonly signals: readonly AbortSignal[];
  /** Receives what the tool has thrown, unless the call was cancelled. */
  onError(error: unknown): void;
}

/** Calls a tool, with a time limit. Errors become results, which language models can read. */
export async function callTool(tool: CallableTool, { args, context, signals, onError }: ToolCall): Promise<ToolResult> {
  const deadline = startDeadline(toolLimits.callTime, signals);
  try {
    return toResult(await tool.run(tool.readArguments(args), { ...context, signal: deadline.signal }));
  } catch (error) {
    if (!signals.some(({ aborted }) => aborted)) onError(error);
    return { ...toResult({ error: toolErrorOf(error) }), isError: true };
  } finally {
    deadline.close();
  }
}

function toResult(value: Readonly<Record<string, unknown>>): ToolResult {
  // The cast is safe: the sanitised form of an object is an object.
  const structuredContent = sanitiseValue(value) as Record<string, unknown>;
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
}
