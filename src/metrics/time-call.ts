/** Runs `work`, and passes how many milliseconds it took, and the error if it failed, to `onEnd`. */
export async function timeCall<T>(
  work: () => Promise<T>,
  onEnd: (milliseconds: number, error: unknown) => void,
): Promise<T> {
  const startedAt = performance.now();
  try {
    const result = await work();
    onEnd(performance.now() - startedAt, undefined);
    return result;
  } catch (error) {
    onEnd(performance.now() - startedAt, error);
    throw error;
  }
}
