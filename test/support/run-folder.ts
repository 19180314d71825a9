/** The folder for what is made once for all unit tests of a run; it is deleted at the end of the run. */
export function runFolder(): string {
  const { TEST_RUN_FOLDER: folder } = process.env;
  if (folder === undefined)
    throw new Error('TEST_RUN_FOLDER names no folder: unit-setup.ts sets it for the unit tests');
  return folder;
}
