import type { RunTask } from '../jobs/task.ts';
import type { PageServices } from '../pages/page-services.ts';
import { policed } from '../site/policed.ts';
import { crawlPage } from './crawl-page.ts';
import { crawlSitemap } from './crawl-sitemap.ts';
import { KnownCrawls } from './known-crawls.ts';

/** Works on the pages and sitemaps of crawls. */
export function crawlPages(services: PageServices): RunTask {
  const crawls = new KnownCrawls();
  return async (page, signal) => {
    const crawl = await crawls.of(page.job);
    const own = policed(services, crawl.page.threatProtection);
    return page.role === 'helper' ? crawlSitemap(own, crawl, page, signal) : crawlPage(own, crawl, page, signal);
  };
}
