import { expect, expectTypeOf, it } from 'vitest';
import type {
  Answer,
  DeliveryAttempt,
  DeliveryTry,
  ExtractionResponse,
  PlannedInput,
  PlanProblem,
  PreviewInput,
  PreviewProblem,
  RenderPlan,
  RenderPreview,
} from './index.ts';
import { createTestClient, successResponse } from './testing/test-client.ts';

it('the client keeps the former names of methods', () => {
  const { client } = createTestClient(() => successResponse());
  expect(client.ask).toBe(client.extract);
  expect(client.askLink).toBe(client.extractLink);
  expect(client.renders.plan).toBe(client.renders.preview);
});

it('the client keeps the former names of types', () => {
  expectTypeOf<Answer>().toEqualTypeOf<ExtractionResponse>();
  expectTypeOf<DeliveryTry>().toEqualTypeOf<DeliveryAttempt>();
  expectTypeOf<PlannedInput>().toEqualTypeOf<PreviewInput>();
  expectTypeOf<PlanProblem>().toEqualTypeOf<PreviewProblem>();
  expectTypeOf<RenderPlan>().toEqualTypeOf<RenderPreview>();
});
