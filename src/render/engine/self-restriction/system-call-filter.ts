import { type Architecture, auditArchitecture, callNumberOn, type SystemCall } from './system-calls.ts';

/**
 * System calls that media work needs once all code is loaded, found by tracing the engine's tests (2026-11-22): files,
 * memory, threads, time, and Node's event loop on existing pipes. No sockets, processes, mounts, tracing or io_uring. The
 * most frequent ones come first.
 */
const allowedCalls = [
  ...['pread64', 'read', 'write', 'pwrite64', 'futex', 'madvise', 'mmap', 'munmap', 'mprotect', 'lseek', 'brk'],
  ...['readv', 'writev', 'preadv', 'pwritev', 'preadv2', 'pwritev2', 'close', 'stat', 'fstat'],
  ...['lstat', 'newfstatat', 'statx', 'access', 'faccessat', 'faccessat2', 'readlink', 'readlinkat', 'getcwd'],
  ...['fsync', 'fdatasync', 'ftruncate', 'fallocate', 'fadvise64', 'getdents64'],
  ...['copy_file_range', 'sendfile', 'dup', 'dup2', 'dup3', 'mremap', 'membarrier'],
  ...['pkey_mprotect', 'pkey_alloc', 'pkey_free', 'set_robust_list', 'get_robust_list', 'rseq'],
  ...['set_tid_address', 'exit', 'exit_group', 'restart_syscall', 'sched_yield', 'sched_getaffinity'],
  ...['sched_getparam', 'sched_getscheduler', 'sched_get_priority_max', 'sched_get_priority_min', 'clock_gettime'],
  ...['clock_getres', 'clock_nanosleep', 'nanosleep', 'gettimeofday', 'time', 'times', 'getrusage'],
  ...['rt_sigaction', 'rt_sigprocmask', 'rt_sigreturn', 'sigaltstack', 'rt_sigpending', 'gettid', 'getpid'],
  ...['getppid', 'getuid', 'geteuid', 'getgid', 'getegid', 'getpriority', 'capget', 'uname'],
  ...['sysinfo', 'getrandom', 'epoll_create1', 'epoll_ctl', 'epoll_wait', 'epoll_pwait', 'epoll_pwait2'],
  ...['eventfd2', 'pipe2', 'poll', 'ppoll', 'select', 'pselect6', 'getsockname', 'shutdown'],
] as const satisfies readonly SystemCall[];

/** Requests of ioctl(2) on pipes and files: TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX. */
const controlRequests = [0x5401, 0x5413, 0x541b, 0x5421, 0x5450, 0x5451];

/**
 * Commands of fcntl(2): F_DUPFD to F_SETLKW, and F_DUPFD_CLOEXEC. Others make the kernel signal a process on the child's
 * behalf (F_SETOWN, F_SETSIG), or block other processes that open a file (F_SETLEASE).
 */
const fileCommands = [0, 1, 2, 3, 4, 5, 6, 7, 1030];

/**
 * Options of getsockopt(2) with which the event loop distinguishes pipes: SO_TYPE, SO_ERROR, SO_SNDBUF, SO_RCVBUF,
 * SO_DOMAIN.
 */
const socketOptions = [3, 4, 7, 8, 39];

/** The flag of open(2) for a file without a name, whose size the service could not see: O_TMPFILE without O_DIRECTORY. */
const NAMELESS = 0x400000;

/** Options of prctl(2): PR_SET_NAME, PR_GET_NAME, PR_SET_VMA, which name threads and memory. */
const processOptions = [15, 16, 0x53564d41];

/** Flags of clone(2): the call must start a thread, and must not create a namespace. */
const CLONE_THREAD = 0x00010000;
const CLONE_NEW = 0x7e020000;

/** Instructions of classic BPF, linux/bpf_common.h. */
const [LOAD, JUMP_EQUAL, JUMP_SET, RETURN] = [0x20, 0x15, 0x45, 0x06];

/** Verdicts, linux/seccomp.h. An error verdict also contains the error number. */
const [KILL, ERROR, ALLOW] = [0x80000000, 0x00050000, 0x7fff0000];
const [EPERM, ENOSYS] = [1, 38];

/** Offsets in `struct seccomp_data`; the lower half of an argument comes first on both architectures. */
const [NUMBER, ARCHITECTURE] = [0, 4];
const lower = (argument: number) => 16 + 8 * argument;
const upper = (argument: number) => lower(argument) + 4;

/** One instruction: code, jumps when true and when false, operand. */
export type Instruction = readonly [code: number, whenTrue: number, whenFalse: number, operand: number];

/**
 * The seccomp program for a child that still has to load its code. It denies io_uring: the event loop would start to use
 * it, and would fail when {@link systemCallFilter} denies it later.
 */
export function startupFilter(architecture: Architecture): Instruction[] {
  const number = callNumberOn(architecture, 'io_uring_setup') ?? 0;
  return [
    [LOAD, 0, 0, NUMBER],
    [JUMP_EQUAL, 0, 1, number],
    [RETURN, 0, 0, ERROR | EPERM],
    [RETURN, 0, 0, ALLOW],
  ];
}

/**
 * The seccomp program that allows a child the calls that media work needs. Others fail with EPERM; clone3, whose flags a
 * filter cannot see, with ENOSYS, so that the C library uses clone.
 *
 * @param pid The process, which may signal only itself.
 */
export function systemCallFilter(architecture: Architecture, pid: number): Instruction[] {
  const load = (offset: number): Instruction => [LOAD, 0, 0, offset];
  const returnWith = (value: number): Instruction => [RETURN, 0, 0, value];
  const deny = returnWith(ERROR | EPERM);

  /** Instructions that decide on one call; the accumulator holds the call's number. */
  const when = (call: SystemCall, decision: readonly Instruction[]): Instruction[] => {
    const number = callNumberOn(architecture, call);
    return number === undefined ? [] : [[JUMP_EQUAL, 0, decision.length, number], ...decision];
  };
  /** Allows a call if a 32-bit argument has one of the given values. */
  const oneOf = (argument: number, values: readonly number[]): Instruction[] => [
    load(lower(argument)),
    ...values.map((value, at): Instruction => [JUMP_EQUAL, values.length - at, 0, value]),
    deny,
    returnWith(ALLOW),
  ];
  const unconditionalCalls = allowedCalls.flatMap((call) => callNumberOn(architecture, call) ?? []);
  return [
    load(ARCHITECTURE),
    [JUMP_EQUAL, 1, 0, auditArchitecture(architecture)],
    returnWith(KILL),
    load(NUMBER),
    ...when('clone', [
      load(lower(0)),
      [JUMP_SET, 2, 0, CLONE_NEW],
      [JUMP_SET, 0, 1, CLONE_THREAD],
      returnWith(ALLOW),
      deny,
    ]),
    ...when('clone3', [returnWith(ERROR | ENOSYS)]),
    ...when('ioctl', oneOf(1, controlRequests)),
    ...when('prctl', oneOf(0, processOptions)),
    ...when('fcntl', oneOf(1, fileCommands)),
    ...when('getsockopt', oneOf(2, socketOptions)),
    ...when('open', [load(lower(1)), [JUMP_SET, 0, 1, NAMELESS], deny, returnWith(ALLOW)]),
    ...when('openat', [load(lower(2)), [JUMP_SET, 0, 1, NAMELESS], deny, returnWith(ALLOW)]),
    ...when('kill', oneOf(0, [pid])),
    ...when('tgkill', oneOf(0, [pid])),
    // It may read limits but not set them: its third argument, a pointer, must be null.
    ...when('prlimit64', [
      load(lower(2)),
      [JUMP_EQUAL, 0, 3, 0],
      load(upper(2)),
      [JUMP_EQUAL, 0, 1, 0],
      returnWith(ALLOW),
      deny,
    ]),
    ...unconditionalCalls.map((number, at): Instruction => [JUMP_EQUAL, unconditionalCalls.length - at, 0, number]),
    deny,
    returnWith(ALLOW),
  ];
}

/** Encodes a program for the kernel: `struct sock_filter`, eight bytes each. */
export function encodeFilter(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(([code, whenTrue, whenFalse, operand], at) => {
    bytes.writeUInt16LE(code, at * 8);
    bytes.writeUInt8(whenTrue, at * 8 + 2);
    bytes.writeUInt8(whenFalse, at * 8 + 3);
    bytes.writeUInt32LE(operand >>> 0, at * 8 + 4);
  });
  return bytes;
}
