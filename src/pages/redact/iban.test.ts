import { testFindings } from '../../../test/support/marked-text.ts';
import { findIbans } from './iban.ts';

// The examples of the IBAN registry.
testFindings(findIbans, [
  'IBAN: «DE89 3704 0044 0532 0130 00», BIC COBADEFFXXX',
  '«GB29NWBK60161331926819», «FR1420041010050500013M02606», «NO9386011117947», «MT84MALT011000012345MTLCAST001S»',
  '«CH93 0076 2011 6238 5295 7» «SA03 8000 0000 6080 1016 7519»',
  '«de89 3704 0044 0532 0130 00» (kleingeschrieben), 口座«NL91 ABNA 0417 1643 00»。',
  '| «ES91 2100 0418 4502 0005 1332» |',
  '«DE89\u00a03704\u00a00044\u00a00532\u00a00130\u00a000»',

  // Near misses.
  'DE88 3704 0044 0532 0130 00', // check digits
  'DE89 3704 0044 0532 0130 0, NO93 8601 1117 9471', // length
  'US64 3704 0044 0532 0130 00', // no such country in the registry
  'XDE89370400440532013000, DE893704004405320130001',
  'pr-bg-dbc66a62-70f9-4850-be91-efa7424c09b1',
  'AB12 CDEF',
]);
