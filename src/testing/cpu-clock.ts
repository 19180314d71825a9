/**
 * Starts measuring processor time. The returned function returns the milliseconds used since then by all threads of the
 * process. Unlike elapsed time, processor time can be limited in a test even on a busy machine.
 */
export function startCpuClock(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
}
