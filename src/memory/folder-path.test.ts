import { describe, expect, it } from 'vitest';
import { isWithin, pathComponents, type PathStyle } from './folder-path.ts';

const LINUX: PathStyle = { windows: false, caseSensitive: true };
const MAC: PathStyle = { windows: false, caseSensitive: false };
const WINDOWS: PathStyle = { windows: true, caseSensitive: false };

describe('the components of a path', () => {
  it.each<[string, PathStyle, readonly string[] | null]>([
    ['/', LINUX, ['/']],
    ['/code//acme/./src/../lib/', LINUX, ['/', 'code', 'acme', 'lib']],
    ['/../../work', LINUX, ['/', 'work']],
    ['/Work/Acme', LINUX, ['/', 'Work', 'Acme']],
    ['/code/a\\b', LINUX, ['/', 'code', 'a\\b']],
    ['/code/acme. ', LINUX, ['/', 'code', 'acme. ']],
    ['work/acme', LINUX, null],
    ['', LINUX, null],
    ['C:\\work', LINUX, null],
    ['/Users/Ana/Cafe\u0301', MAC, ['/', 'users', 'ana', 'caf\u00e9']],
    ['/users/ana/CAF\u00c9', MAC, ['/', 'users', 'ana', 'caf\u00e9']],
    ['C:\\', WINDOWS, ['C:']],
    ['c:', WINDOWS, ['C:']],
    ['c:/Work\\ACME/', WINDOWS, ['C:', 'work', 'acme']],
    ['C:\\..\\..\\Work', WINDOWS, ['C:', 'work']],
    // Relative to where that drive is just now.
    ['C:work', WINDOWS, null],
    ['\\work', WINDOWS, null],
    ['work', WINDOWS, null],
    ['\\\\NAS\\Share', WINDOWS, ['\\\\nas\\share']],
    ['//nas/share/Acme', WINDOWS, ['\\\\nas\\share', 'acme']],
    ['\\\\nas', WINDOWS, null],
    ['\\\\?\\C:\\Work\\Acme', WINDOWS, ['C:', 'work', 'acme']],
    ['\\\\.\\C:\\Work', WINDOWS, ['C:', 'work']],
    ['\\\\?\\UNC\\nas\\share\\Acme', WINDOWS, ['\\\\nas\\share', 'acme']],
    ['C:\\Work\\Acme.', WINDOWS, ['C:', 'work', 'acme']],
    ['C:\\Work \\Acme. .\\src', WINDOWS, ['C:', 'work', 'acme', 'src']],
    ['\\\\?\\C:\\Work\\Acme.', WINDOWS, ['C:', 'work', 'acme.']],
    [`C:\\${'long-name\\'.repeat(60)}x`, WINDOWS, ['C:', ...Array<string>(60).fill('long-name'), 'x']],
  ])('of %j (%o) are %j', (path, style, expected) => {
    expect(pathComponents(path, style)).toEqual(expected);
  });
});

describe('a folder lies in another', () => {
  const isIn = (folder: string, ancestor: string, style: PathStyle) =>
    isWithin(pathComponents(folder, style) ?? [], pathComponents(ancestor, style) ?? ['no path']);

  it.each<[string, string, PathStyle, boolean]>([
    ['/code/acme/src', '/code/acme', LINUX, true],
    ['/code/acme', '/code/acme/', LINUX, true],
    ['/code/acme-2', '/code/acme', LINUX, false],
    ['/code', '/code/acme', LINUX, false],
    ['/Work/acme', '/work', LINUX, false],
    ['/Work/acme', '/work', MAC, true],
    ['D:\\work\\acme', 'C:\\work', WINDOWS, false],
    ['\\\\nas\\share\\acme', '\\\\NAS\\SHARE', WINDOWS, true],
    ['\\\\nas\\share2', '\\\\nas\\share', WINDOWS, false],
    ['work/acme', 'work', LINUX, false],
  ])('%j in %j (%o): %s', (folder, ancestor, style, expected) => {
    expect(isIn(folder, ancestor, style)).toBe(expected);
  });
});
