import { describe, expect, it } from 'vitest';
import { setConfigValues } from './config-edit.ts';
import { parseConfig } from './git-config.ts';

const url = (value: string) => ({ section: 'remote', subsection: 'origin', key: 'url', value });

describe("a value in git's configuration", () => {
  it('is put into a section of its own where there is none', () => {
    expect(setConfigValues('[core]\n\tbare = false\n', [url('/nas/a.git')])).toBe(
      '[core]\n\tbare = false\n[remote "origin"]\n\turl = /nas/a.git\n',
    );
    expect(setConfigValues('', [url('/nas/a.git')])).toBe('[remote "origin"]\n\turl = /nas/a.git\n');
  });

  it('replaces the one that is there, and nothing else', () => {
    const text = '; mine\n[Remote "origin"] # why\n  URL = old ; x\n\tfetch = +a:b\n\n[core]\n\tbare = false\n';
    expect(setConfigValues(text, [url('new')])).toBe(
      '; mine\n[Remote "origin"] # why\n\turl = new\n\tfetch = +a:b\n\n[core]\n\tbare = false\n',
    );
  });

  it('is added to the section that is there, before the next one', () => {
    const text = '[remote "origin"]\n\tfetch = +a:b\n[remote "other"]\n\turl = x\n';
    expect(setConfigValues(text, [url('new')])).toBe(
      '[remote "origin"]\n\tfetch = +a:b\n\turl = new\n[remote "other"]\n\turl = x\n',
    );
  });

  it('leaves the text as it is where it says so already', () => {
    const text = '[remote "origin"]\n\turl   =   "new" # comment';
    expect(setConfigValues(text, [url('new')])).toBe(text);
  });

  it.each(['plain', ' blanks ', 'with # and ;', 'say "hi"', 'C:\\nas\\stet', "'/usr/bin/node' '/x y/main.js' %O"])(
    'is read back as it was given: %j',
    (value) => {
      const text = setConfigValues('[core]\n', [{ section: 'a', subsection: 'b "c" \\d', key: 'k', value }]);
      expect(parseConfig(text)).toEqual([{ key: 'a.b "c" \\d.k', value }]);
    },
  );
});
