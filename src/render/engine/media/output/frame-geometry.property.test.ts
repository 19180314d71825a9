import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cropFilters, frameGeometry } from './frame-geometry.ts';

const square = { num: 1, den: 1 };
const frameOf = (width: number, height: number, sampleAspectRatio = square) => ({ width, height, sampleAspectRatio });

describe('frameGeometry', () => {
  it.each([
    ['a portrait part of a landscape frame', frameOf(1920, 1080), { crop: [9, 16] }, [656, 0, 608, 1080], [608, 1080]],
    ['a landscape part of a portrait frame', frameOf(1080, 1920), { crop: [16, 9] }, [0, 656, 1080, 608], [1080, 608]],
    [
      'a part and a smaller size',
      frameOf(1920, 1080),
      { crop: [1, 1], maxHeight: 720 },
      [420, 0, 1080, 1080],
      [720, 720],
    ],
    ['wide pixels', frameOf(720, 576, { num: 64, den: 45 }), { crop: [9, 16] }, [246, 0, 228, 576], [228, 576]],
    ['unknown pixels', frameOf(640, 480, { num: 0, den: 1 }), { crop: [1, 1] }, [80, 0, 480, 480], [480, 480]],
    ['odd sizes', frameOf(161, 91), { crop: [1, 1] }, [34, 0, 90, 90], [90, 90]],
  ] as const)('returns %s', (_name, frame, { crop: [width, height], ...limits }, [x, y, w, h], size) => {
    const geometry = frameGeometry(frame, { crop: { width, height }, ...limits });
    expect(geometry).toEqual({ crop: { x, y, width: w, height: h }, width: size[0], height: size[1] });
    expect(cropFilters(geometry.crop)).toEqual([['crop', `w=${w}:h=${h}:x=${x}:y=${y}`]]);
  });

  it('keeps a frame that already has the shape', () => {
    expect(frameGeometry(frameOf(1280, 720), { crop: { width: 16, height: 9 }, maxHeight: 1080 })).toEqual({
      width: 1280,
      height: 720,
    });
    expect(frameGeometry(frameOf(854, 480), { crop: { width: 16, height: 9 } })).toEqual({ width: 854, height: 480 });
  });

  it('reduces the height to an even number', () => {
    expect(frameGeometry(frameOf(1920, 1080), { maxHeight: 721 })).toEqual({ width: 1280, height: 720 });
  });

  it('never enlarges, stays within the frame, and keeps the aspect ratio', () => {
    const length = fc.integer({ min: 2, max: 8192 });
    const pixels = fc.record({ num: fc.integer({ min: 0, max: 200 }), den: fc.integer({ min: 1, max: 200 }) });
    const side = fc.integer({ min: 1, max: 9999 });
    const crop = fc.option(fc.record({ width: side, height: side }), { nil: undefined });
    const maxHeight = fc.option(fc.integer({ min: 64, max: 4320 }), { nil: undefined });
    fc.assert(
      fc.property(length, length, pixels, crop, maxHeight, (width, height, sampleAspectRatio, crop, maxHeight) => {
        const geometry = frameGeometry(
          { width, height, sampleAspectRatio },
          { ...(crop && { crop }), ...(maxHeight && { maxHeight }) },
        );
        const part = geometry.crop ?? { x: 0, y: 0, width, height };
        expect(part.x + part.width).toBeLessThanOrEqual(width);
        expect(part.y + part.height).toBeLessThanOrEqual(height);
        // The middle, as far as even positions allow.
        expect(Math.abs(width - part.width - 2 * part.x)).toBeLessThanOrEqual(3);
        expect(Math.abs(height - part.height - 2 * part.y)).toBeLessThanOrEqual(3);
        if (geometry.crop !== undefined) {
          for (const number of Object.values(geometry.crop)) expect(number % 2).toBe(0);
          expect(part.width === width - (width % 2) || part.height === height - (height % 2)).toBe(true);
        }
        expect(geometry.width).toBeLessThanOrEqual(part.width);
        expect(geometry.height).toBeLessThanOrEqual(Math.min(part.height, maxHeight ?? part.height));
        expect(Math.min(geometry.width, geometry.height)).toBeGreaterThanOrEqual(2);
        if (geometry.height === part.height) return;
        expect((geometry.width % 2) + (geometry.height % 2)).toBe(0);
        const exactWidth = (part.width * geometry.height) / part.height;
        expect(Math.abs(geometry.width - Math.max(2, exactWidth))).toBeLessThanOrEqual(1);
      }),
      { seed: 1, numRuns: 500 },
    );
  });
});
