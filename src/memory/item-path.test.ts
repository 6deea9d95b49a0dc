import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { idInPath, newItemPath, placeOf, slugOf } from './item-path.ts';

describe('placeOf', () => {
  test.each([
    ['personal/a.md', null],
    ['personal/2026-09/deep/er/a.k3v9q2m7.md', null],
    ['personal/NOTES.MD', null],
    ['spaces/acme/a.md', 'acme'],
    ['spaces/acme/2026-09/a.md', 'acme'],
    ['spaces/ACME GmbH/a.md', 'ACME GmbH'],
    ['spaces/cafe\u0301/a.md', 'café'],
    ['personal/-leading-dash.md', null],
    ['personal/trailing dot..md', null],
    ['personal/line\nend "quoted" back\\slash 🎉.md', null],
    ['personal/CON.md', null],
    ['personal/notes on readme.md', null],
    ['personal/a (1).md', null],
    ['personal/base_local_1.md', null],
    ['personal/x.template.md', null],
  ])('takes %j for an item of %j', (path, space) => expect(placeOf(path)).toEqual({ space }));

  test.each([
    ['README.md', 'a README'],
    ['personal/README.md', 'a README'],
    ['spaces/acme/2026-09/readme.md', 'a README in any case'],
    ['personal/a.txt', 'not .md'],
    ['personal/a.canvas', 'an Obsidian canvas'],
    ['personal/md', 'no extension'],
    ['a.md', 'outside the two folders'],
    ['notes/a.md', 'outside the two folders'],
    ['Personal/a.md', 'another folder'],
    ['transcripts/a.md', 'a transcript'],
    ['spaces/a.md', 'directly in spaces/'],
    ['personal.md', 'no folder'],
    ['personal/.hidden.md', 'hidden'],
    ['personal/.obsidian/a.md', 'a hidden folder'],
    ['spaces/.git/a.md', 'a hidden folder as a space'],
    ['spaces/acme/.trash/a.md', 'a hidden folder'],
    ['personal/../spaces/acme/a.md', 'dots'],
    ['/personal/a.md', 'an absolute path'],
    ['personal//a.md', 'an empty part'],
    ['personal/', 'a folder'],
    ['', 'nothing'],
    ['personal/.#a.md', 'an Emacs lock'],
    ['personal/#a.md#', 'an Emacs auto-save'],
    ['personal/a.md~', 'a backup'],
    ['personal/a~.md', 'a backup'],
    ['personal/.a.md.swp', 'a swap file of Vim'],
    ['personal/4913', "Vim's probe"],
    ['personal/~$a.md', 'an Office lock'],
    ['personal/a.orig.md', 'a backup'],
    ['personal/a.md.orig', 'a backup'],
    ['personal/a.md.tmp', 'a temporary file'],
    ['personal/a.md___jb_tmp___', 'a temporary file of JetBrains'],
    ['personal/a.sync-conflict-20260105-101530-ABCDEFG.md', 'a conflict of Syncthing'],
    ['personal/a (conflicted copy 2026-01-05 101530).md', 'a conflict of Nextcloud'],
    ["personal/a (Ann's conflicted copy 2026-01-05).md", 'a conflict of Dropbox'],
    ['personal/a (Case Conflict).md', 'a conflict of Dropbox'],
    ['personal/a_LOCAL_4711.md', 'a file of git mergetool'],
  ])('leaves %j alone: %s', (path) => expect(placeOf(path)).toBeNull());
});

describe('slugOf', () => {
  test.each([
    ['Acme signs users in with Auth0.', 'acme-signs-users-in-with-auth0'],
    ["Don't use O’Brien's fork!", 'dont-use-obriens-fork'],
    ['  `npm run build` -> dist/  ', 'npm-run-build-dist'],
    ['Счёт выставляется в евро', 'счёт-выставляется-в-евро'],
    ['数据库在端口 5432 上', '数据库在端口-5432-上'],
    ['العميل يفضل البريد الإلكتروني', 'العميل-يفضل-البريد-الإلكتروني'],
    ['हिन्दी में लिखें', 'हिन्दी-में-लिखें'],
    ['café'.normalize('NFD'), 'café'],
    ['The [`ack`](https://beyondgrep.com/) tool', 'the-ack-tool'],
    ['[[Auth0 (vendor)|The vendor]] of ![[a.png]]', 'the-vendor-of-a-png'],
    ['🎉🚀', '🎉🚀'],
    ['👨‍👩‍👧 ok', 'ok'],
    ['🇩🇪', '🇩🇪'],
    ['\u0301 lost accent', 'lost-accent'],
    ['…', 'item'],
    ['', 'item'],
    ['\u200b\u202e', 'item'],
    ['con', 'con-item'],
    ['LPT1', 'lpt1-item'],
    ['Con.', 'con-item'],
    ['console', 'console'],
    ['../../etc/passwd', 'etc-passwd'],
    ['trailing dots... ', 'trailing-dots'],
    ['-rf', 'rf'],
    ['a\u202egnp.exe', 'agnp-exe'],
  ])('%j becomes %j', (statement, slug) => expect(slugOf(statement)).toBe(slug));

  test('cuts at a whole word', () => {
    const statement =
      'The quarterly billing export runs at midnight in the timezone of the customer, not in UTC as before';
    expect(slugOf(statement)).toBe('the-quarterly-billing-export-runs-at-midnight-in-the-timezone-of-the-customer');
  });

  test('cuts text without blanks at a whole character, and a long word rather than losing it', () => {
    expect(slugOf('数'.repeat(100))).toBe('数'.repeat(26));
    expect(slugOf(`see ${'x'.repeat(200)}`)).toBe(`see-${'x'.repeat(76)}`);
    expect(slugOf('नि'.repeat(60))).toBe('नि'.repeat(13));
  });

  test('is a legal, tame file name on every system, whatever the statement says', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (statement) => {
        const slug = slugOf(statement);
        expect(slug).not.toBe('');
        expect(Buffer.byteLength(slug)).toBeLessThanOrEqual(80 + '-item'.length);
        expect(slug).toBe(slug.normalize('NFC'));
        expect(slug).not.toMatch(/\p{Cs}/u);
        // oxlint-disable-next-line no-control-regex
        expect(slug).not.toMatch(/[\u0000-\u001f\u007f<>:"/\\|?*\s.]|^-|-$/);
        expect(slug).not.toMatch(/^(con|prn|aux|nul|com[0-9]|lpt[0-9])$/);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('newItemPath', () => {
  const item = { space: null, created: '2026-09-15T10:31:04Z', statement: 'Use pnpm.', id: 'k3v9q2m7' };

  test('files by month, under personal or the space', () => {
    expect(newItemPath(item)).toBe('personal/2026-09/use-pnpm.k3v9q2m7.md');
    expect(newItemPath({ ...item, space: 'acme' })).toBe('spaces/acme/2026-09/use-pnpm.k3v9q2m7.md');
  });

  test.each([
    ['2026-09', '2026-09'],
    ['2026-12-31T23:30:00-05:00', '2026-12'],
    ['January 5, 2024 12:00 UTC', '2024-01'],
    ['2026-13-01', 'undated'],
    ['some day', 'undated'],
    ['', 'undated'],
    ['../../..', 'undated'],
  ])('created %j goes to %s', (created, month) => {
    expect(newItemPath({ ...item, created })).toBe(`personal/${month}/use-pnpm.k3v9q2m7.md`);
  });

  test('leaves room below a home folder for the 260 characters of a path on Windows, and in a name for its bytes', () => {
    const longest = { ...item, space: 'x'.repeat(64), statement: `con ${'x'.repeat(200)}` };
    expect(newItemPath(longest).length).toBeLessThanOrEqual(180);
    for (const statement of ['\u{20000}'.repeat(100), '한'.repeat(100), '👩‍👩‍👧'.repeat(30), 'e\u0301'.repeat(100)]) {
      const [name = ''] = newItemPath({ ...item, statement })
        .split('/')
        .slice(-1);
      // HFS+ takes 255 UTF-16 units of the decomposed name, the others 255 bytes.
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
      expect(name.normalize('NFD').length).toBeLessThanOrEqual(255);
    }
  });

  test("is an item's path whose name carries the id", () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (statement) => {
        const path = newItemPath({ ...item, statement });
        expect(placeOf(path)).toEqual({ space: null });
        expect(idInPath(path)).toBe(item.id);
      }),
    );
  });
});

describe('idInPath', () => {
  test.each([
    ['personal/2026-09/slug.k3v9q2m7.md', 'k3v9q2m7'],
    ['personal/a.b.k3v9q2m7.md', 'k3v9q2m7'],
    ['personal/k3v9q2m7.md', null],
    ['personal/slug.K3V9Q2M7.md', null],
    ['personal/slug.calendar.md', null],
    ['personal/slug.k3v9q2m7.md/other.md', null],
    ['personal/slug.md', null],
  ])('%s has %j', (path, id) => {
    expect(idInPath(path)).toBe(id);
  });
});
