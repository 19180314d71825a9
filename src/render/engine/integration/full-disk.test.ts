/** @module-tag long */

import { describe, expect, it } from 'vitest';
import { runWithMediaLibrary } from '../testing/test-media.ts';

describe.runIf(process.platform === 'linux')('a full disk', () => {
  it.each(['mp4', 'mov', 'mkv', 'webm', 'ts'])('has its own error code for a %s file', async (container) => {
    const output = await runWithMediaLibrary('fill-disk', [container]);
    expect(JSON.parse(output)).toEqual({ code: 'storage_failed', retryable: true });
  });
});
