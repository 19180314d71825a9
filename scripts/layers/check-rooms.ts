import type { Import } from './imports.ts';
import type { Rooms } from './layers.ts';

const table = 'scripts/layers/layers.ts';

/** Returns a sentence for each import that the table of rooms does not allow, and for each mistake in the table. */
export function checkRooms(imports: readonly Import[], rooms: Rooms): string[] {
  const names = Object.keys(rooms);
  const usedEntries = new Set<string>();
  const usedRooms = new Set<string>();
  const faults = imports.flatMap(({ from, to }) => {
    const [importer, imported] = [roomOf(from, names), roomOf(to, names)];
    if (importer === undefined) return [`${from} is in no room of ${table}`];
    usedRooms.add(importer);
    if (imported === undefined) return [`${from} imports ${to}, which is in no room of ${table}`];
    usedRooms.add(imported);
    if (importer === imported) return [];
    const entries = (rooms[importer] ?? []).filter(
      (entry) => roomOf(entry, names) === imported && isWithin(pathOf(to), entry),
    );
    for (const entry of entries) usedEntries.add(`${importer} ${entry}`);
    return entries.length > 0 ? [] : [`${from} imports ${to}, but ${table} does not let ${importer} import it`];
  });
  return [...faults, ...names.flatMap((name) => checkRoom(name))];

  function checkRoom(name: string): string[] {
    if (!usedRooms.has(name)) return [`${table} has a room ${name}, which is empty or has no imports`];
    return (rooms[name] ?? []).flatMap((entry) => {
      const room = roomOf(entry, names);
      if (room === undefined) return [`${table}: ${name} lists ${entry}, which is in no room`];
      if (names.indexOf(room) >= names.indexOf(name))
        return [`${table}: ${name} lists ${entry}, which stands above it`];
      if (!usedEntries.has(`${name} ${entry}`)) return [`${table}: ${name} lists ${entry} but imports nothing from it`];
      return [];
    });
  }
}

/** Returns the innermost room that a path is in. */
function roomOf(path: string, rooms: readonly string[]): string | undefined {
  return rooms
    .filter((room) => isWithin(pathOf(path), room))
    .toSorted((one, other) => other.length - one.length)
    .at(0);
}

/** Returns the path of a file as the table names it: below `src/`, or below the root for a package. */
function pathOf(path: string): string {
  return path.replace(/^src\//, '');
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
