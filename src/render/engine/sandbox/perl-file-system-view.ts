import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemCallNumber } from '../self-restriction/system-calls.ts';
import type { ViewEntry } from './file-system-view.ts';
import { shellQuote } from './system-tools.ts';

/** Flags of mount(2). */
const flags = { ro: 1, nosuid: 2, nodev: 4, noexec: 8, remount: 32, bind: 4096 } as const;
/** The flag of umount2(2) for mounts that are in use. */
const MNT_DETACH = 2;

/**
 * Returns the lines of a shell script that builds a view with one process, while `viewScript` needs eight.
 *
 * @param perl Absolute path of perl(1).
 * @param scratch A folder for the script.
 * @param root An empty folder, on which the view is mounted. Several namespaces can use it concurrently.
 */
export function createPerlView(
  perl: string,
  scratch: string,
  root: string,
): (entries: readonly ViewEntry[]) => string[] {
  const path = join(scratch, 'view.pl');
  writeFileSync(path, script());
  chmodSync(path, 0o644);
  return (entries) => {
    const words = entries.flatMap(({ kind, path, options, target = '' }) => [kind, `${maskOf(options)}`, path, target]);
    // Until it changes its folder, the shell is still in the old root.
    return [[perl, path, root, ...words].map(shellQuote).join(' '), 'cd /'];
  };
}

function maskOf(options: readonly (keyof typeof flags)[]): number {
  return options.reduce((mask, option) => mask | flags[option], 0);
}

const script = () => `
my ($root, @entries) = @ARGV;
sub must {
  my ($what, $number, @arguments) = @_;
  die "$what failed: $!\\n" if syscall($number, @arguments) < 0;
}
sub attach {
  my ($what, @arguments) = @_;
  must("mount of $what", ${systemCallNumber('mount')}, @arguments);
}
sub folder {
  my $path = '.';
  for (grep { length } split '/', shift) {
    $path .= "/$_";
    -d $path or mkdir $path or die "mkdir $path failed: $!\\n";
  }
}
attach('tmpfs', 'tmpfs', $root, 'tmpfs', ${maskOf(['nosuid', 'nodev'])}, 'mode=755,size=1m');
chdir $root or die "chdir failed: $!\\n";
folder('old');
for (my $at = 0; $at < @entries; $at += 4) {
  my ($kind, $path) = @entries[$at, $at + 2];
  folder($kind eq 'folder' ? $path : $path =~ s{/[^/]*$}{}r);
  if ($kind eq 'file') { open my $file, '>', ".$path" or die "creation of $path failed: $!\\n"; }
  if ($kind eq 'link') { symlink $entries[$at + 3], ".$path" or die "symlink $path failed: $!\\n"; }
}
for (my $at = 0; $at < @entries; $at += 4) {
  my ($kind, $mask, $path) = @entries[$at .. $at + 2];
  next if $kind eq 'link';
  attach($path, $path, ".$path", 0, ${flags.bind}, 0);
  attach("$path again", 0, ".$path", 0, $mask | ${maskOf(['remount', 'bind'])}, 0);
}
attach('the root again', 0, '.', 0, ${maskOf(['remount', 'bind', 'ro', 'nosuid', 'nodev'])}, 0);
must('pivot_root', ${systemCallNumber('pivot_root')}, '.', 'old');
must('umount', ${systemCallNumber('umount2')}, '/old', ${MNT_DETACH});
`;
