/** Runs jobs in order, this many at a time, and stops at the first failure. */
export async function runJobs<Job>(
  jobs: Iterable<Job>,
  concurrency: number,
  run: (job: Job) => Promise<void>,
): Promise<void> {
  const source = jobs[Symbol.iterator]();
  const worker = async () => {
    for (let next = source.next(); !next.done; next = source.next()) await run(next.value);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}
