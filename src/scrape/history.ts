import { now } from '../clock.ts';
import { TrawlError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import type { Caller } from '../team/keys.ts';
import type { ScrapedDocument } from './document.ts';
import type { RequestOrigin, ScrapeRequest } from './request.ts';
