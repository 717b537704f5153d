import { crawlBody } from '../src/server/v2/crawl-options.ts';
import { testOptionTable } from './support/option-table.ts';

testOptionTable('crawl.md', 'a crawl', crawlBody);
