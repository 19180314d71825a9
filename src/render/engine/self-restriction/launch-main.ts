import { restrictFiles } from './landlock.ts';
import { mustCall, systemCall } from './libc.ts';
import { denyIoUring } from './restrict-system-calls.ts';
import { systemCallNumber } from './system-calls.ts';
import type { VisibleFiles } from './visible-files.ts';

/**
 * Restricts itself to the files that its first argument lists, then becomes the Node program that the other arguments
 * name, which inherits the restriction. The program cannot do this itself: Landlock binds the calling thread, and Node has
 * several threads by the time it runs code.
 */
const [files = '', ...program] = process.argv.slice(2);

/** prctl(2) */
const PR_SET_NO_NEW_PRIVS = 38;
/** fcntl(2) */
const F_SETFD = 2;
/** close_range(2) */
const CLOSE_RANGE_CLOEXEC = 4;
/** The pipe that the program inherits. On `execve`, Node closes all descriptors except the standard ones. */
const messagePipe = 3;

mustCall('prctl', systemCallNumber('prctl'), PR_SET_NO_NEW_PRIVS, 1, 0, 0);
const visibleFiles: VisibleFiles = JSON.parse(files);
const landlock = restrictFiles(visibleFiles);
denyIoUring();
mustCall('fcntl', systemCallNumber('fcntl'), messagePipe, F_SETFD, 0);
// Closes all other descriptors that were inherited through the service. Linux 5.11 and later.
systemCall(systemCallNumber('close_range'), messagePipe + 1, 0xffff_ffff, CLOSE_RANGE_CLOEXEC);
process.execve?.(process.execPath, [process.execPath, ...program, `${landlock}`], process.env);
