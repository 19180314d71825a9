import { systemCall } from '../confinement/libc.ts';
import type { Findings, Targets } from './attacks.ts';

/** System calls as native code would make them, on x64: a number, and arguments that make sense. */
function callsAgainst({
  processes: [service = 1, other = 1],
}: Targets): Record<string, readonly [number, ...number[]]> {
  return {
    'socket(AF_INET, SOCK_STREAM)': [41, 2, 1, 0],
    'socket(AF_INET6, SOCK_DGRAM)': [41, 10, 2, 0],
    'socket(AF_UNIX)': [41, 1, 1, 0],
    'socket(AF_NETLINK)': [41, 16, 3, 0],
    'socket(AF_VSOCK)': [41, 40, 1, 0],
    'socket(AF_ALG)': [41, 38, 5, 0],
    'socket(AF_PACKET)': [41, 17, 3, 0],
    socketpair: [53, 1, 1, 0, 0],
    'kill the service': [62, service, 0],
    'kill another child': [62, other, 0],
    'kill everything': [62, -1, 0],
    'tgkill the service': [234, service, service, 0],
    tkill: [200, service, 0],
    rt_sigqueueinfo: [129, service, 0, 0],
    pidfd_open: [434, service, 0],
    pidfd_getfd: [438, 0, 0, 0],
    'ptrace attach': [101, 16, service, 0, 0],
    'ptrace seize': [101, 0x4206, other, 0, 0],
    process_vm_readv: [310, service, 0, 0, 0],
    process_vm_writev: [311, other, 0, 0, 0],
    kcmp: [312, service, other, 0, 0],
    fork: [57],
    'clone a process': [56, 17, 0, 0, 0],
    'clone into a user namespace': [56, 0x10000000 | 17, 0, 0, 0],
    execve: [59, 0, 0, 0],
    execveat: [322, 0, 0, 0, 0],
    unshare: [272, 0x10000000],
    setns: [308, 0, 0],
    mount: [165, 0, 0, 0, 0],
    umount2: [166, 0, 2],
    pivot_root: [155, 0, 0],
    chroot: [161, 0],
    open_tree: [428, -100, 0, 0],
    move_mount: [429, 0, 0, 0, 0],
    fsopen: [430, 0, 0],
    mount_setattr: [442, 0, 0, 0, 0],
    name_to_handle_at: [303, -100, 0, 0, 0],
    open_by_handle_at: [304, 0, 0, 0],
    mknod: [133, 0, 0o60666, 0],
    symlink: [88, 0, 0],
    bpf: [321, 0, 0, 0],
    perf_event_open: [298, 0, 0, 0, 0],
    userfaultfd: [323, 0],
    io_uring_setup: [425, 8, 0],
    memfd_create: [319, 0, 0],
    keyctl: [250, 0, 0, 0, 0],
    add_key: [248, 0, 0, 0, 0],
    shmget: [29, 0, 4096, 0o1600],
    msgget: [68, 0, 0o1600],
    semget: [64, 0, 1, 0o1600],
    setuid: [105, 0],
    setresuid: [117, 0, 0, 0],
    setgid: [106, 0],
    setgroups: [116, 0, 0],
    capset: [126, 0, 0],
    'prctl(PR_SET_DUMPABLE)': [157, 4, 1, 0, 0],
    'prctl(PR_SET_PDEATHSIG, 0)': [157, 1, 0, 0, 0],
    setsid: [112],
    setpgid: [109, 0, 0],
    'prlimit of the service': [302, service, 7, 1, 0],
    setrlimit: [160, 7, 1],
    personality: [135, 0x0400000],
    iopl: [172, 3],
    modify_ldt: [154, 0, 0, 0],
    init_module: [175, 0, 0, 0],
    finit_module: [313, 0, 0, 0],
    kexec_load: [246, 0, 0, 0, 0],
    reboot: [169, 0, 0, 0, 0],
    swapon: [167, 0, 0],
    sethostname: [170, 0, 0],
    settimeofday: [164, 0, 0],
    clock_settime: [227, 0, 0],
    quotactl: [179, 0, 0, 0, 0],
    syslog: [103, 0, 0, 0],
    lookup_dcookie: [212, 0, 0, 0],
    seccomp: [317, 1, 0, 0],
    landlock_create_ruleset: [444, 0, 0, 1],
    'a 32-bit number (x32)': [0x40000000 + 39],
  };
}

/** Attacks that need native code, which a child that a file has taken over runs. Only for x64. */
export function attackNatively(targets: Targets): Findings {
  const findings: Findings = {};
  for (const [name, [number, ...values]] of Object.entries(callsAgainst(targets))) {
    const result = systemCall(number, ...values);
    findings[name] = 'error' in result ? result.error : `GAINED ${result.value}`;
  }
  return findings;
}
