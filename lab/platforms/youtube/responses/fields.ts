/** Reduces a response to the members in `$fields` (`microformat,videoDetails.videoId`), as the site does. */
export function onlyFields(value: unknown, fields: string): unknown {
  const paths = fields.split(',').map((path) => path.trim().split(/[./]/));
  return selectPaths(value, paths);
}

function selectPaths(value: unknown, paths: readonly (readonly string[])[]): unknown {
  if (paths.some((path) => path.length === 0)) return value;
  if (Array.isArray(value)) return value.map((item) => selectPaths(item, paths));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const inside = paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
      return inside.length === 0 ? [] : [[name, selectPaths(member, inside)]];
    }),
  );
}
