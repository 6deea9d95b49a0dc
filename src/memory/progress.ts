// How long work tells how far it is, for a person who waits.

/**
 * `done` of `total` parts of a stage; `total` 0 where nobody knows how many there are. `stage`: what is being done, in words;
 * left out where there is only one.
 */
export type OnProgress = (done: number, total: number, stage?: string) => void;
