/**
 * Size in bytes of one write of a large file. Handing a write to another thread costs as much as copying 50 kB (measured
 * 2026-11-23), so writes should not be small. From 2 MiB, they cost more: Linux then looks for contiguous memory of that
 * size. On ext4, a gigabyte took 0.3 s of processor time with writes of 1 MiB, 1.0 s with 2 MiB, and 0.6 s to 3.5 s with
 * 4 MiB (Linux 6.18, measured 2026-11-26).
 */
export const writeBytes = 1024 * 1024;
