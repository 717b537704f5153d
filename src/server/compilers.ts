/**
 * Replaces the JSON Schema compilers of Fastify, so that it never loads them: every app sets zod as its validator
 * before its first route. Responses are typed where they are made; checking each against its schema again would cost
 * more than making it.
 */
export const OWN_COMPILERS = {
  compilersFactory: {
    buildValidator: () => () => {
      throw new Error('The app has to set its validator before its first route.');
    },
    buildSerializer: () => () => JSON.stringify,
  },
};
