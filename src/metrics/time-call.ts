/** Runs `work`, and passes its duration in milliseconds and its error, if any, to `onEnd`. */
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
