/** The running work of each team in this process. */
export class RunningWork {
  readonly #counts = new Map<string, number>();

  /** Counts a piece of work until it is disposed of. */
  begin(teamId: string): Disposable {
    this.#counts.set(teamId, this.count(teamId) + 1);
    return { [Symbol.dispose]: () => this.#end(teamId) };
  }

  get total(): number {
    return this.#counts.values().reduce((sum, count) => sum + count, 0);
  }

  count(teamId: string): number {
    return this.#counts.get(teamId) ?? 0;
  }

  #end(teamId: string): void {
    const left = this.count(teamId) - 1;
    if (left > 0) this.#counts.set(teamId, left);
    else this.#counts.delete(teamId);
  }
}
