// The states of a watcher, and what is said of them to people.
import type { WatcherHealth } from './watcher.ts';

export type WatchState =
  /** Folders are being watched, one after the other. */
  | { readonly name: 'starting' }
  /** The system tells of every change. */
  | { readonly name: 'watching' }
  /** Files are compared by `stat`; `triesAgain` tells whether watching may work later. */
  | { readonly name: 'polling'; readonly why: PollReason; readonly triesAgain: boolean }
  /** The memory's folder is not there. */
  | { readonly name: 'away' }
  | { readonly name: 'stopped' };

export type PollReason =
  /** The system refused a watch; `errno` is its code. */
  | { readonly code: 'refused'; readonly errno: string }
  /** Folders changed, twice, and no event came. */
  | { readonly code: 'silent' }
  /** The memory's folder becomes another one again and again. */
  | { readonly code: 'restless' }
  /** Something broke that was not foreseen. */
  | { readonly code: 'broken'; readonly words: string };

/** State and reason as `health()` tells them. */
export function describeState(state: WatchState, root: string): Pick<WatcherHealth, 'state' | 'reason'> {
  switch (state.name) {
    case 'starting':
    case 'watching':
    case 'stopped':
      return { state: state.name, reason: null };
    case 'away':
      return { state: 'polling', reason: `${root} is missing; it is looked for until it is back` };
    case 'polling':
      return {
        state: 'polling',
        reason: `${describeReason(state.why)}; files are compared instead, some seconds later`,
      };
  }
}

function describeReason(why: PollReason): string {
  switch (why.code) {
    case 'refused':
      return describeRefusal(why.errno);
    case 'silent':
      return 'the system does not tell of changes here (a network or virtual file system?)';
    case 'restless':
      return 'the file system does not keep its folders apart (a network or virtual file system?)';
    case 'broken':
      return `watching failed (${why.words})`;
  }
}

function describeRefusal(errno: string): string {
  switch (errno) {
    case 'ENOSPC':
      return 'this system has no file watches left (raise fs.inotify.max_user_watches)';
    case 'EMFILE':
    case 'ENFILE':
      return 'this system has no watchers or file handles left (raise fs.inotify.max_user_instances or ulimit -n)';
    default:
      return `the system refuses to watch this folder (${errno})`;
  }
}
