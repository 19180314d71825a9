/**
 * Starts counting processor time: the function that it returns tells the milliseconds since, of all threads of the
 * process. A bound on them holds on a busy machine, too.
 */
export function startCpuClock(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
}
