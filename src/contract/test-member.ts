import Type from 'typebox';

/** The member that marks the responses and events of test keys. */
export const testMembers = {
  test: Type.Optional(
    Type.Literal(true, {
      description: 'Present for test keys: everything comes from the lab, and nothing is charged.',
    }),
  ),
};

/** Returns the `test` member of a response or event, which is absent for live keys. */
export function testMember(isTest: boolean): { readonly test?: true } {
  return isTest ? { test: true } : {};
}
