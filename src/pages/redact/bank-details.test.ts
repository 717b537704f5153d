import { testFindings } from '../../../test/support/marked-text.ts';
import { findBankDetails } from './bank-details.ts';

testFindings(findBankDetails, [
  'Routing number: «021000021», account number: «1234567890»',
  '**ABA:** «121000358», Routing # «011401533»',
  'Sort code «20-00-00», Account No. «55779911»',
  'Kontonummer: «532013000», Konto-Nr. «532 013 000»',
  'bank account number | «0012-3456-789» |',

  // Near misses.
  'Routing number: 021000022', // check digit
  'Routing number: 991000021', // no Federal Reserve prefix
  'account 12345678, account: 12345678, money-market-account-4689730',
  'Sort code 20-00-00-1, sort code 2000',
  'your account number is on the statement',
]);
