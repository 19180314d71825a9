import { chmodSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import {
  accessRules,
  fileRights,
  landlockCalls,
  networkRights,
  O_PATH,
  pathBeneath,
  rightsByVersion,
  scopeFlags,
  unsupportedErrors,
  versionFlag,
} from './landlock-rules.ts';
import { encodeFilter, startupFilter } from './system-call-filter.ts';
import { hostArchitecture, type SystemCall, systemCallNumber } from './system-calls.ts';
import type { VisibleFiles } from './visible-files.ts';

/** The system's Perl, and the script that it launches children with. */
export interface PerlLauncher {
  /** Absolute path of perl(1). */
  readonly perl: string;
  readonly script: string;
}

/** A command that succeeds if a Perl can make system calls with 64-bit numbers and pointers. */
export function perlProbeCommand(perl: string): string[] {
  return [perl, '-e', 'pack("QP", 0, ""); exit(length(pack("P", "")) == 8 ? 0 : 1)'];
}

/** Writes the script. It is a file because `perl -e` needs /dev/null, which children do not have. */
export function writePerlLauncher(perl: string, folder: string): PerlLauncher {
  const path = join(folder, 'launch.pl');
  writeFileSync(path, script());
  // Children with their own users must be able to read it, regardless of the service's umask.
  chmodSync(path, 0o644);
  return { perl, script: path };
}

/**
 * Returns the start of a command line with the effect of `launch-main.ts`: it restricts itself to `files`, then becomes
 * the program that follows, with the version of Landlock as one more argument. Perl is part of every Debian system and
 * takes 2 ms of processor time, while Node takes 60 ms.
 */
export function perlLaunchCommand({ perl, script }: PerlLauncher, files: VisibleFiles): string[] {
  const rules = accessRules(files).flatMap(({ path, allowedAccess }) => [`${allowedAccess}`, path]);
  return [perl, script, `${rules.length / 2}`, ...rules];
}

const number = (call: SystemCall) => systemCallNumber(call);

/** Space-separated errno values that mean that Landlock is not available. */
const unsupportedNumbers = unsupportedErrors.map((name) => constants.errno[name]).join(' ');

/** `syscall` passes strings as pointers. An argument of the command is a string until it is converted to a number. */
const script = () => `
sub must {
  my ($what, $number, @arguments) = @_;
  my $result = syscall($number, @arguments);
  die "$what failed: $!\\n" if $result < 0;
  return $result;
}
must('prctl', ${number('prctl')}, 38, 1, 0, 0);

my $version = syscall(${landlockCalls.createRuleset}, 0, 0, ${versionFlag});
if ($version < 0) {
  die "landlock_create_ruleset failed: $!\\n" unless grep { $_ == $! } qw(${unsupportedNumbers});
  $version = 0;
}
my @rights = (${rightsByVersion.join(', ')});
my $handled = $rights[$version > $#rights ? $#rights : $version];
my $ruleset;
if ($version > 0) {
  my $attributes = pack('Q3', $handled, ${networkRights}, ${scopeFlags});
  my $bytes = $version >= 6 ? 24 : $version >= 4 ? 16 : 8;
  $ruleset = must('landlock_create_ruleset', ${landlockCalls.createRuleset}, $attributes, $bytes, 0);
}
for (1 .. shift @ARGV) {
  my ($allowed, $path) = (shift(@ARGV) & $handled, shift @ARGV);
  next if $version == 0;
  $allowed &= ${fileRights} unless -d $path;
  my $parent = must("open of $path", ${number('openat')}, -100, $path, ${O_PATH}, 0);
  my $rule = pack('Ql', $allowed, $parent);
  must("landlock_add_rule for $path", ${landlockCalls.addRule}, $ruleset, ${pathBeneath}, $rule, 0);
  must('close', ${number('close')}, $parent);
}
must('landlock_restrict_self', ${landlockCalls.restrictSelf}, $ruleset, 0) if $version > 0;

my $filter = pack('H*', '${encodeStartupFilter().toString('hex')}');
my $program = pack('Sx6P', length($filter) / 8, $filter);
my $seccomp = syscall(${number('seccomp')}, 1, 0, $program);
die "seccomp failed: $!\\n" if $seccomp < 0 && $! != ${constants.errno.ENOSYS};

syscall(${number('close_range')}, 4, 0xffff_ffff, 4);
exec { $ARGV[0] } @ARGV, $version or die "$ARGV[0] could not be started: $!\\n";
`;

/** The filter that denies io_uring to the program while it loads. */
function encodeStartupFilter(): Buffer {
  const architecture = hostArchitecture();
  if (architecture === undefined) throw new Error(`the system calls of ${process.arch} are not known`);
  return encodeFilter(startupFilter(architecture));
}
