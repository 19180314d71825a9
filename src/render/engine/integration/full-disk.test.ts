import { describe, expect, it } from 'vitest';
import { runWithMediaLibrary } from '../testing/test-media.ts';

describe.runIf(process.platform === 'linux')('a full disk', () => {
  it.each(['mp4', 'mov', 'mkv', 'webm', 'ts'])('fails a %s file with its own code', async (container) => {
    const output = await runWithMediaLibrary('fill-disk', [container]);
    expect(JSON.parse(output)).toEqual({ code: 'storage_failed', retryable: true });
  });
});
