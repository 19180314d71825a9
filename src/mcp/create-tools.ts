import type { Platform } from '../platforms/platform.ts';
import { type CallableTool, makeCallable } from './call-tool.ts';
import { getDetailsTool } from './tools/get-details.ts';
import { getStatusTool } from './tools/get-status.ts';
import { getTranscriptTool } from './tools/get-transcript.ts';
import { renderTool } from './tools/render.ts';
import { renderJobTool } from './tools/render-job.ts';
import { searchTool } from './tools/search.ts';

/** Creates all tools, in the order in which clients list them. */
export function createTools(platforms: readonly Platform[]): readonly CallableTool[] {
  return makeCallable([
    getDetailsTool(platforms),
    searchTool(platforms),
    getTranscriptTool(platforms),
    renderTool,
    renderJobTool,
    getStatusTool,
  ]);
}
