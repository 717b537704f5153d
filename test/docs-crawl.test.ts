import { crawlBody } from '../src/contract/v2/crawl.ts';
import { testOptionTable } from './support/option-table.ts';

testOptionTable('crawl.md', 'a crawl', crawlBody);
