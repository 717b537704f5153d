import { setTimeout as wait } from 'node:timers/promises';
import type { Service } from '../service.ts';

export interface MeasuredCrawl {
  /** From the start to the end as reported by the service, in milliseconds. */
  time: number;
  /** Samples of the progress and the memory of the service. */
  course: Moment[];
}

export interface Moment {
  /** Since the start, in milliseconds. */
  at: number;
  pages: number;
  /** In MB. */
  memory: number;
}

interface Status {
  status: string;
  completed: number;
  createdAt: string;
  completedAt?: string;
  /** The address of the next documents. */
  next?: string;
  data: unknown[];
}

const POLL_MS = 500;

/** Crawls a generated site, and reads the documents during the crawl. Throws unless each page gives one. */
export async function measureCrawl(service: Service, root: string, pages: number): Promise<MeasuredCrawl> {
  const start = performance.now();
  const { id } = await service.call<{ id: string }>('POST', '/v2/crawl', {
    url: root,
    // More than the site has, so that the crawl ends because it finds nothing new.
    limit: 2 * pages,
    sitemap: 'skip',
    scrapeOptions: { formats: ['markdown'] },
  });
  const course: Moment[] = [];
  let read = 0;
  for (;;) {
    const answer = await service.call<Status>('GET', `/v2/crawl/${id}?skip=${read}`);
    read += answer.data.length;
    course.push({ at: performance.now() - start, pages: answer.completed, memory: service.memory });
    if (answer.completedAt !== undefined && answer.next === undefined) {
      if (answer.status !== 'completed' || read !== pages) {
        throw new Error(`The crawl of ${pages} pages ended as ${answer.status} with ${read} documents.`);
      }
      return { time: Date.parse(answer.completedAt) - Date.parse(answer.createdAt), course };
    }
    if (answer.completedAt === undefined) await wait(POLL_MS);
  }
}
