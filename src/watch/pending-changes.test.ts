import { describe, expect, it } from 'vitest';
import { MAX_EVENTS, MAX_PATHS, PendingChanges, folderOf } from './pending-changes.ts';
import { MEMORY_AREA } from './watched-area.ts';

const open = () => new PendingChanges({ area: MEMORY_AREA, rootName: 'stet' });
const nothing = { paths: new Set(), entries: new Set(), broken: new Set(), everything: false, lostEvents: false };

describe('what an event means', () => {
  it('a change of an item is a path, and no folder to look for', () => {
    const pending = open();
    pending.hear({ folder: 'spaces/acme', type: 'change', name: 'a.md' });
    expect(pending.take()).toEqual({ ...nothing, paths: new Set(['spaces/acme/a.md']) });
  });

  it('an entry that appears may be an item or a folder of that name', () => {
    const pending = open();
    pending.hear({ folder: 'personal', type: 'rename', name: 'a.md' });
    expect(pending.take()).toEqual({
      ...nothing,
      paths: new Set(['personal/a.md']),
      entries: new Set(['personal/a.md']),
    });
  });

  it('an entry of the root matters only as a watched folder or a settings file', () => {
    const pending = open();
    for (const name of ['.git', 'transcripts', 'README.md', '.stet'])
      pending.hear({ folder: '', type: 'rename', name });
    expect(pending.isEmpty).toBe(true);
    pending.hear({ folder: '', type: 'rename', name: 'spaces' });
    pending.hear({ folder: '', type: 'change', name: 'policies.yaml' });
    expect(pending.take()).toEqual({
      ...nothing,
      paths: new Set(['policies.yaml']),
      entries: new Set(['spaces']),
    });
  });

  it("a folder's own name in its own event is its end, or an entry of that name", () => {
    const pending = open();
    pending.hear({ folder: 'spaces/acme', type: 'rename', name: 'acme' });
    pending.hear({ folder: '', type: 'rename', name: 'stet' });
    expect(pending.take()).toEqual({
      ...nothing,
      entries: new Set(['spaces/acme/acme']),
      broken: new Set(['spaces/acme', '']),
    });
  });

  it('an event without a name is a loss of events', () => {
    const pending = open();
    pending.hear({ folder: 'personal', type: 'change', name: null });
    expect(pending.isEmpty).toBe(false);
    expect(pending.take()).toEqual({ ...nothing, everything: true, lostEvents: true });
  });

  it('comes from a watch of a whole tree with the path below it', () => {
    const event = { folder: 'spaces', type: 'change', name: 'acme/2026-09/a.md' } as const;
    const pending = open();
    pending.hear(event);
    expect(pending.take().paths).toEqual(new Set(['spaces/acme/2026-09/a.md']));
    expect(folderOf(event)).toBe('spaces/acme/2026-09');
    expect(folderOf({ folder: '', type: 'change', name: 'stet.yaml' })).toBe('');
    expect(folderOf({ folder: 'spaces', type: 'change', name: null })).toBe('spaces');
  });
});

describe('too much', () => {
  it('paths are everything, but no loss', () => {
    const pending = open();
    for (let index = 0; index < MAX_PATHS; index += 1) pending.addPath(`personal/${index}.md`);
    expect(pending.take().everything).toBe(false);
    for (let index = 0; index <= MAX_PATHS; index += 1) pending.addPath(`personal/${index}.md`);
    expect(pending.take()).toMatchObject({ everything: true, lostEvents: false });
  });

  it('events may be a loss, even if all are about one file or none that matters', () => {
    const pending = open();
    for (let index = 0; index < MAX_EVENTS; index += 1) pending.hear({ folder: '', type: 'change', name: 'x.txt' });
    expect(pending.isEmpty).toBe(true);
    pending.hear({ folder: '', type: 'change', name: 'x.txt' });
    expect(pending.isEmpty).toBe(false);
    expect(pending.take()).toEqual({ ...nothing, everything: true, lostEvents: true });
    expect(pending.isEmpty).toBe(true);
  });

  it('new entries are not looked at one by one', () => {
    const pending = open();
    for (let index = 0; index <= MAX_PATHS; index += 1) {
      pending.hear({ folder: 'spaces', type: 'rename', name: `s${index}` });
    }
    expect(pending.take().lostEvents).toBe(true);
  });
});

it('what was taken is not taken again', () => {
  const pending = open();
  pending.addPath('personal/a.md');
  pending.addBroken('personal');
  pending.addEverything();
  expect(pending.take()).toEqual({
    ...nothing,
    paths: new Set(['personal/a.md']),
    broken: new Set(['personal']),
    everything: true,
  });
  expect(pending.isEmpty).toBe(true);
  expect(pending.take()).toEqual(nothing);
});
