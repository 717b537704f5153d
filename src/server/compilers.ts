/**
 * Given to Fastify in the place of the JSON Schema compilers it comes with, so that it never loads them: every app sets
 * zod as its validator before its first route. Answers are typed where they are made; checking each again against its
 * schema would cost more than making it.
 */
export const OWN_COMPILERS = {
  compilersFactory: {
    buildValidator: () => () => {
      throw new Error('The app has to set its validator before its first route.');
    },
    buildSerializer: () => () => JSON.stringify,
  },
};
