// A bell for one sleeper. Invariant: a ring is never lost; one that comes early ends the next sleep at once.

export class Wake {
  #rung = false;
  #end: (() => void) | null = null;

  ring(): void {
    this.#rung = true;
    this.#end?.();
  }

  /** Sleeps until rung, or for `ms` milliseconds. Does not keep the process alive. */
  async sleep(ms: number): Promise<void> {
    if (!this.#rung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms).unref();
        this.#end = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#end = null;
    }
    this.#rung = false;
  }
}
