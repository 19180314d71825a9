import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../files/temporary-folder.ts';
import { createEngine } from '../../render/engine/create-engine.ts';
import { type Check, type Finding, findingsOf, messageOf } from './finding.ts';

const { fine, wrong } = findingsOf('media engine');

/** How to enable a missing isolation layer, by its name. */
const remedies: Readonly<Record<string, string>> = {
  'resource limits': 'Install a shell at /bin/sh, and raise the hard limits of the service (ulimit -H).',
  'process limit': 'Allow user namespaces (sysctl kernel.unprivileged_userns_clone=1).',
  'parent death signal': 'Install util-linux (setpriv).',
  'network namespace':
    "Allow user namespaces (sysctl kernel.unprivileged_userns_clone=1, or the container's seccomp profile).",
  'process namespace': 'Allow user namespaces, and install util-linux (unshare).',
  'file system view': 'Allow user and mount namespaces, and install util-linux (unshare, mount, pivot_root, setpriv).',
  'own user': 'Run the service as an ordinary user, or make its code readable for all users.',
  privileges: 'Install util-linux (setpriv), and do not run the service as root.',
  Landlock: 'Use Linux 5.13 or later with Landlock enabled (lsm=landlock,…), and Node 26.1 or later.',
  'system call filter': 'Use Node 26.1 or later on x64 or arm64.',
};

const SECONDS = 1;
const RATE = 8_000;

/** Converts a second of audio with the real engine, and names the missing isolation layers. */
export const checkEngine: Check = async (_config, signal) => {
  const scratch = makeTemporaryFolder('millrace-doctor-');
  const job = join(scratch.path, 'job');
  await mkdir(job);
  const engine = createEngine({ directory: scratch.path, spares: 0 });
  try {
    const startedAt = performance.now();
    const [input, output] = [join(job, 'tone.wav'), join(job, 'tone.m4a')];
    await writeFile(input, toneFile());
    const operation = { type: 'convert_format', copyStreams: false } as const;
    const task = { directory: job, inputs: [{ path: input }], operation, maxOutputBytes: 1e6 };
    await engine.process({ ...task, output: { path: output, ext: 'm4a' } }, { signal });
    const { streams } = await engine.probe({ directory: job, path: output, ext: 'm4a' }, { signal });
    const elapsed = Math.round(performance.now() - startedAt);
    const codecs = streams.map(({ codec }) => codec).join(', ');
    return [
      fine(`converted a second of audio to ${codecs} and read it back in ${elapsed} ms`),
      ...checkIsolation(await engine.isolation),
    ];
  } catch (error) {
    signal.throwIfAborted();
    const remedy = 'Run "npm ci" again; minimal systems may lack libatomic1. See docs/how-to/troubleshoot.md.';
    return [wrong(messageOf(error), remedy), ...checkIsolation(await engine.isolation)];
  } finally {
    await engine.close();
    await scratch.remove();
  }
};

function checkIsolation(missing: readonly string[]): readonly Finding[] {
  const isolationFindings = findingsOf('isolation');
  if (missing.length === 0) return [isolationFindings.fine('all layers are active')];
  return missing.map((layer) => {
    const [kind = ''] = layer.split(':', 1);
    return isolationFindings.note(layer, remedies[kind] ?? 'See docs/reference/engine-isolation.md.');
  });
}

/** Returns a WAV (RIFF) file that contains a tone of one second, with 16 bits and one channel. */
function toneFile(): Buffer {
  const samples = SECONDS * RATE;
  const file = Buffer.alloc(44 + samples * 2);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(36 + samples * 2, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  // The format chunk: its length, PCM, channels, sample rate, bytes per second, bytes per sample, bits per sample.
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(RATE, 24);
  file.writeUInt32LE(RATE * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(samples * 2, 40);
  for (let at = 0; at < samples; at += 1) {
    file.writeInt16LE(Math.round(8_000 * Math.sin((2 * Math.PI * 440 * at) / RATE)), 44 + at * 2);
  }
  return file;
}
