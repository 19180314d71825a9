import type { ChildTask } from '../protocol/messages.ts';
import type { GrowingFiles } from '../tasks/growing-files.ts';
import { filesOf, mapInputPaths } from '../tasks/input-files.ts';
import type { TaskOutput } from '../tasks/task.ts';
import type { Workspace } from './workspace.ts';

/**
 * Links a task's files into a child's workspace, except inputs that are still arriving. Returns the task with the paths
 * of the workspace.
 *
 * @throws An error of the file system.
 */
export async function linkTaskFiles(task: ChildTask, workspace: Workspace): Promise<ChildTask> {
  const directory = workspace.outputs;
  if (task.type === 'probe') {
    await workspace.linkInput(0, task.path);
    return { ...task, directory, path: workspace.inputPath(0, task.path) };
  }
  const output = { ...task.output, path: workspace.resultPath(task.output.path) };
  if (task.type === 'slideshow') {
    for (const [at, { path }] of task.images.entries()) await workspace.linkInput(at, path);
    const images = task.images.map((one, at) => ({ ...one, path: workspace.inputPath(at, one.path) }));
    return { ...task, directory, images, output };
  }
  const files = task.type === 'finish' ? [] : filesOf(task.inputs);
  const cover = await linkCover(task.output, files.length, workspace);
  const outputWithCover = { ...output, ...(cover && { cover }) };
  if (task.type === 'finish') {
    await workspace.linkResult(task.output.path);
    return { ...task, directory, output: outputWithCover };
  }
  for (const [at, { path, growing }] of files.entries()) {
    if (growing !== true) await workspace.linkInput(at, path);
  }
  const inputs = mapInputPaths(task.inputs, (path, at) => workspace.inputPath(at, path));
  return { ...task, directory, inputs, output: outputWithCover };
}

/** Links the cover image that is to be added, as another input. */
async function linkCover({ cover }: TaskOutput, at: number, workspace: Workspace): Promise<TaskOutput['cover']> {
  if (cover === undefined) return undefined;
  await workspace.linkInput(at, cover.path);
  return { path: workspace.inputPath(at, cover.path) };
}

/**
 * Links files that are still arriving once their first bytes have been written. Before that, the file may not exist.
 *
 * @param onError Called if a file cannot be linked.
 */
export function linkGrowingInputs(
  task: ChildTask,
  growingFiles: GrowingFiles | undefined,
  workspace: Workspace,
  onError: (error: unknown) => void,
): { isReadable(file: number): boolean } {
  const startedFiles = new Set<number>();
  const linkedFiles = new Set<number>();
  const files = task.type === 'process' ? filesOf(task.inputs) : [];
  growingFiles?.subscribe(() => {
    for (const [at, { path, growing }] of files.entries()) {
      const range = growingFiles.files[at];
      if (growing !== true || range === undefined || startedFiles.has(at)) continue;
      if (range.bytes === 0 && !range.whole) continue;
      startedFiles.add(at);
      workspace.linkGrowingInput(at, path).then(() => {
        linkedFiles.add(at);
        growingFiles.report(at, growingFiles.files[at] ?? range);
      }, onError);
    }
  });
  return { isReadable: (file) => linkedFiles.has(file) };
}
