import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { getMetricsFromIterator, type PromMetrics } from 'prom2javascript';

/** The answer of /metrics, read by a third-party parser. */
export class Scraped {
  readonly families: PromMetrics;

  constructor(families: PromMetrics) {
    this.families = families;
  }

  /** Throws for a line that is not in the text format of Prometheus. */
  static async parse(text: string): Promise<Scraped> {
    // Lags of an event loop that has not run since the last time. Prometheus accepts "Nan" in any case, this parser in none.
    const lines = text.split('\n').filter((line) => !line.endsWith(' Nan'));
    return new Scraped(await getMetricsFromIterator(lines.values()));
  }

  /** The value of a sample, or the count of a histogram; undefined when there is none. */
  value(name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
    const sample = this.families[name]?.data.find((one) => {
      const given = Object.entries(one.labels);
      return given.length === Object.keys(labels).length && given.every(([key, value]) => labels[key] === value);
    });
    if (sample === undefined) return undefined;
    return 'value' in sample ? sample.value : sample.count;
  }
}

export async function scrapeMetrics(address: string, key?: string): Promise<Scraped> {
  const response = await fetch(`${address}/metrics`, {
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
  });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return Scraped.parse(text);
}

/** Polls the metrics until they match, because some are cached for five seconds. */
export async function metricsUntil(address: string, shows: (scraped: Scraped) => boolean): Promise<Scraped> {
  for (;;) {
    const scraped = await scrapeMetrics(address);
    if (shows(scraped)) return scraped;
    await sleep(200);
  }
}
