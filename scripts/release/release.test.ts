/** @module-tag long */

import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { distributedPackages } from '../licences/third-party-packages.ts';
import { changesOf, releaseChanges } from './changelog.ts';
import type { Sbom } from './complete-sbom.ts';
import { replaceVersion, setManifestVersion, versionPlaces } from './version-places.ts';

const root = new URL('../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };

describe('the changelog', () => {
  const changelog = '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A.\n\n## [0.1.0] - 2026-01-01\n\n- B.\n';

  test('gives the unreleased changes to a version, and stays ready for the next', () => {
    const released = releaseChanges(changelog, '0.2.0', '2026-11-26');
    expect(released).toContain('## [Unreleased]\n\n## [0.2.0] - 2026-11-26\n\n### Added\n');
    expect(changesOf(released, '0.2.0')).toBe('### Added\n\n- A.\n');
    expect(changesOf(released, '0.1.0')).toBe('- B.\n');
    expect(() => changesOf(released, 'Unreleased')).toThrow(/is empty/);
  });

  test('rejects a version that exists, and one that does not', () => {
    expect(() => releaseChanges(changelog, '0.1.0', '2026-11-26')).toThrow(/already has/);
    expect(() => changesOf(changelog, '0.3.0')).toThrow(/has no section/);
  });

  test('of this project has sections that can be read', () => {
    expect(changesOf(read('CHANGELOG.md'), '0.1.0')).toContain('\n- ');
  });
});

describe('set-version.ts', () => {
  test.each(versionPlaces)('finds the version in $file', (place) => {
    const changed = replaceVersion(read(place.file), place, version, '98.76.54');
    expect(changed).toContain(`${place.before}98.76.54${place.after}`);
  });

  test.each(['package.json', 'packages/client/package.json', 'package-lock.json'])(
    'changes only the versions of this project in %s',
    (file) => {
      expect(setManifestVersion(read(file), version)).toBe(read(file));
      const [before, after] = [read(file).split('\n'), setManifestVersion(read(file), '98.76.54').split('\n')];
      const changed = after.filter((line, index) => line !== before[index]);
      expect(changed.map((line) => line.trim())).toEqual(
        Array.from({ length: file === 'package-lock.json' ? 3 : 1 }, () => '"version": "98.76.54",'),
      );
    },
  );

  test('reports a place that no longer names the version', () => {
    expect(() => replaceVersion('', versionPlaces[0] as (typeof versionPlaces)[number], '1.0.0', '2.0.0')).toThrow(
      /does not contain "image: millrace:1.0.0"/,
    );
  });
});

describe('the bill of materials', () => {
  let sbom: Sbom;
  beforeAll(() => {
    const program = fileURLToPath(new URL('print-sbom.ts', import.meta.url));
    const options = { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, timeout: 240_000 } as const;
    sbom = JSON.parse(execFileSync(process.execPath, [program], options)) as Sbom;
  });
  const names = () => new Set(sbom.components.map(({ name }) => name));

  test('describes the service in its version', () => {
    expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5' });
    expect(sbom.metadata.component).toMatchObject({ type: 'application', name: 'millrace', version });
  });

  test('lists every package that comes with the service, with its licence, and nothing else', async () => {
    const packages = await distributedPackages(root);
    const licences = new Map(packages.map((one) => [`${one.name}@${one.version}`, one.licence]));
    const listed = new Map(sbom.components.map((one) => [`${one.name}@${one.version}`, one.licenses]));
    const required = packages.filter(({ optional }) => !optional).map((one) => `${one.name}@${one.version}`);
    expect(required.length).toBeGreaterThan(50);
    expect(required.filter((name) => !listed.has(name))).toEqual([]);
    const own = [`millrace-client@${version}`, `ffmpeg@${ffmpegOf(sbom)}`];
    for (const [name, licenses] of [...listed].filter(([one]) => !own.includes(one))) {
      expect(licenses, name).toEqual([{ expression: licences.get(name) }]);
    }
  });

  test('lists every package whose code is bundled in dist', () => {
    const bundled = globSync('dist/{bin,engine,lab,page,client}/**/*.js', { cwd: root }).flatMap((file) =>
      [...read(file).matchAll(/^\s*\/\/ \S*node_modules\/((?:@[^/\s]+\/)?[^/\s]+)/gm)].map(([, name = '']) => name),
    );
    expect(bundled).toContain('fastify');
    expect([...new Set(bundled)].filter((name) => !names().has(name))).toEqual([]);
  });

  test('lists FFmpeg as a part of the binaries of the engine', () => {
    const engines = sbom.dependencies.filter(({ ref }) => ref.startsWith('@seydx/node-av-'));
    expect(engines.length).toBeGreaterThan(3);
    for (const { dependsOn } of engines) expect(dependsOn).toContain(`ffmpeg@${ffmpegOf(sbom)}`);
  });

  test('refers only to components that it lists', () => {
    const references = new Set([sbom.metadata.component, ...sbom.components].map((one) => one['bom-ref']));
    for (const { ref, dependsOn = [] } of sbom.dependencies) {
      expect([ref, ...dependsOn].filter((one) => !references.has(one))).toEqual([]);
    }
  });
});
const ffmpegOf = (sbom: Sbom) => sbom.components.find(({ name }) => name === 'ffmpeg')?.version;
