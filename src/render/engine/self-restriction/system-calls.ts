/**
 * Numbers of Linux system calls on x64 and, if available there, on arm64. Source: `unistd_64.h` and
 * `asm-generic/unistd.h` of Linux 6.1.
 */
const numbers = {
  // Files
  read: [0, 63],
  write: [1, 64],
  readv: [19, 65],
  writev: [20, 66],
  pread64: [17, 67],
  pwrite64: [18, 68],
  preadv: [295, 69],
  pwritev: [296, 70],
  preadv2: [327, 286],
  pwritev2: [328, 287],
  open: [2],
  openat: [257, 56],
  close: [3, 57],
  lseek: [8, 62],
  stat: [4],
  fstat: [5, 80],
  lstat: [6],
  newfstatat: [262, 79],
  statx: [332, 291],
  access: [21],
  faccessat: [269, 48],
  faccessat2: [439, 439],
  readlink: [89],
  readlinkat: [267, 78],
  getcwd: [79, 17],
  fsync: [74, 82],
  fdatasync: [75, 83],
  ftruncate: [77, 46],
  fallocate: [285, 47],
  fadvise64: [221, 223],
  unlink: [87],
  unlinkat: [263, 35],
  getdents64: [217, 61],
  copy_file_range: [326, 285],
  sendfile: [40, 71],
  fcntl: [72, 25],
  ioctl: [16, 29],
  dup: [32, 23],
  dup2: [33],
  dup3: [292, 24],
  // Memory
  mmap: [9, 222],
  munmap: [11, 215],
  mprotect: [10, 226],
  mremap: [25, 216],
  madvise: [28, 233],
  brk: [12, 214],
  membarrier: [324, 283],
  pkey_mprotect: [329, 288],
  pkey_alloc: [330, 289],
  pkey_free: [331, 290],
  // Threads and time
  futex: [202, 98],
  set_robust_list: [273, 99],
  get_robust_list: [274, 100],
  rseq: [334, 293],
  set_tid_address: [218, 96],
  exit: [60, 93],
  exit_group: [231, 94],
  restart_syscall: [219, 128],
  sched_yield: [24, 124],
  sched_getaffinity: [204, 123],
  sched_getparam: [143, 121],
  sched_getscheduler: [145, 120],
  sched_get_priority_max: [146, 125],
  sched_get_priority_min: [147, 126],
  clock_gettime: [228, 113],
  clock_getres: [229, 114],
  clock_nanosleep: [230, 115],
  nanosleep: [35, 101],
  gettimeofday: [96, 169],
  time: [201],
  times: [100, 153],
  getrusage: [98, 165],
  // Signals within the process
  rt_sigaction: [13, 134],
  rt_sigprocmask: [14, 135],
  rt_sigreturn: [15, 139],
  sigaltstack: [131, 132],
  rt_sigpending: [127, 136],
  // Process information
  gettid: [186, 178],
  getpid: [39, 172],
  getppid: [110, 173],
  getuid: [102, 174],
  geteuid: [107, 175],
  getgid: [104, 176],
  getegid: [108, 177],
  getpriority: [140, 141],
  setpriority: [141, 140],
  capget: [125, 90],
  uname: [63, 160],
  sysinfo: [99, 179],
  getrandom: [318, 278],
  // Event loop
  epoll_create1: [291, 20],
  epoll_ctl: [233, 21],
  epoll_wait: [232],
  epoll_pwait: [281, 22],
  epoll_pwait2: [441, 441],
  eventfd2: [290, 19],
  pipe2: [293, 59],
  poll: [7],
  ppoll: [271, 73],
  select: [23],
  pselect6: [270, 72],
  getsockopt: [55, 209],
  getsockname: [51, 204],
  shutdown: [48, 210],
  // Allowed only with certain arguments, or never
  clone: [56, 220],
  clone3: [435, 435],
  prctl: [157, 167],
  prlimit64: [302, 261],
  kill: [62, 129],
  tgkill: [234, 131],
  seccomp: [317, 277],
  io_uring_setup: [425, 425],
  close_range: [436, 436],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
} as const satisfies Record<string, readonly [x64: number, arm64?: number]>;

/** Name of a system call in this table. */
export type SystemCall = keyof typeof numbers;

/** Architectures whose numbers are known, with their value for `seccomp_data.arch` (linux/audit.h). */
const architectures = { x64: { column: 0, audit: 0xc000003e }, arm64: { column: 1, audit: 0xc00000b7 } } as const;

/** An architecture whose system calls are known. */
export type Architecture = keyof typeof architectures;

/** This machine's architecture; `undefined` if its system calls are not known. */
export function hostArchitecture(): Architecture | undefined {
  return process.arch === 'x64' || process.arch === 'arm64' ? process.arch : undefined;
}

/** The value that the kernel reports for an architecture. */
export function auditArchitecture(architecture: Architecture): number {
  return architectures[architecture].audit;
}

/** Number of a system call; `undefined` if the architecture does not have it. */
export function callNumberOn(architecture: Architecture, call: SystemCall): number | undefined {
  const callNumbers: readonly number[] = numbers[call];
  return callNumbers[architectures[architecture].column];
}

/**
 * Number of a system call on this machine.
 *
 * @throws Error if it is not known.
 */
export function systemCallNumber(call: SystemCall): number {
  const architecture = hostArchitecture();
  const number = architecture && callNumberOn(architecture, call);
  if (number === undefined) throw new Error(`the number of ${call} is not known on ${process.arch}`);
  return number;
}
