/** Runs `work`, and passes how many milliseconds it took, and the error if it failed, to `ended`. */
export async function timed<T>(
  work: () => Promise<T>,
  ended: (milliseconds: number, error: unknown) => void,
): Promise<T> {
  const begun = performance.now();
  try {
    const result = await work();
    ended(performance.now() - begun, undefined);
    return result;
  } catch (error) {
    ended(performance.now() - begun, error);
    throw error;
  }
}
