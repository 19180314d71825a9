import type { EngineInput, InputPart } from './task.ts';

/** The files of an input, in the order in which they play. */
export function partsOf(input: EngineInput): readonly InputPart[] {
  return [input, ...(input.followedBy ?? [])];
}

/** The files of all inputs, one input after the other. A file's place in this list is its number in a task. */
export function filesOf(inputs: readonly EngineInput[]): readonly InputPart[] {
  return inputs.flatMap(partsOf);
}

/** The inputs with other paths: `move` gets each path and the number of its file. */
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
