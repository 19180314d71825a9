import type { EngineInput, InputPart } from './task.ts';

/** Returns the files of an input in playing order. */
export function partsOf(input: EngineInput): readonly InputPart[] {
  return [input, ...(input.followedBy ?? [])];
}

/**
 * Returns the files of all inputs, one input after the other. The index of a file in this list is its number in a task.
 */
export function filesOf(inputs: readonly EngineInput[]): readonly InputPart[] {
  return inputs.flatMap(partsOf);
}

/** Returns the inputs with other paths. `move` receives each path and the number of its file. */
export function mapInputPaths(
  inputs: readonly EngineInput[],
  mapPath: (path: string, file: number) => string,
): readonly EngineInput[] {
  let file = 0;
  const movePart = <Part extends InputPart>(part: Part): Part => {
    const path = mapPath(part.path, file);
    file += 1;
    return { ...part, path };
  };
  return inputs.map(({ followedBy, ...first }): EngineInput => {
    const begin = movePart(first);
    return followedBy === undefined ? begin : { ...begin, followedBy: followedBy.map(movePart) };
  });
}
