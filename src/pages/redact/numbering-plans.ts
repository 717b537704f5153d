import { createRequire } from 'node:module';

type NumberingPlans = typeof import('libphonenumber-js/max');

const require = createRequire(import.meta.url);
let plans: NumberingPlans | undefined;

/** The numbering plans of all countries. Loaded when first needed: 18 MB and 60 ms that most servers never use. */
export function numberingPlans(): NumberingPlans {
  if (plans) return plans;
  const loaded: NumberingPlans = require('libphonenumber-js/max');
  plans = loaded;
  return loaded;
}
