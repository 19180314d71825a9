/**
 * Starts to measure processor time. The returned function gives the milliseconds since then, of all threads of the
 * process. A bound on them also holds on a busy machine.
 */
export function startCpuClock(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
}
