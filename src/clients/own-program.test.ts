import { describe, expect, it } from 'vitest';
import { findProgram, runProgram, runsWithoutShell } from './own-program.ts';

describe('a program', () => {
  const on =
    (...paths: string[]) =>
    (path: string) =>
      paths.includes(path);

  it('is found in the first folder of PATH that has it', () => {
    const machine = { platform: 'linux', home: '/', env: { PATH: '/a::/b:/c' }, packages: [] } as const;
    expect(findProgram('claude', machine, on('/b/claude', '/c/claude'))).toBe('/b/claude');
    expect(findProgram('claude', machine, on('claude'))).toBeNull();
  });

  it('is found on Windows by the endings of PATHEXT, whatever case the names have', () => {
    const env = { Path: '"C:\\Program Files\\x";C:\\npm', PATHEXT: '.EXE;.CMD' };
    const machine = { platform: 'win32', home: 'C:\\', env, packages: [] } as const;
    expect(findProgram('claude', machine, on('C:\\Program Files\\x\\claude.exe'))).toBe(
      'C:\\Program Files\\x\\claude.exe',
    );
    expect(findProgram('claude', machine, on('C:\\npm\\claude.cmd'))).toBe('C:\\npm\\claude.cmd');
  });

  it('that only a shell can start is not started', () => {
    expect(runsWithoutShell('C:\\npm\\claude.cmd', 'win32')).toBe(false);
    expect(runsWithoutShell('C:\\x\\claude.EXE', 'win32')).toBe(true);
    expect(runsWithoutShell('/usr/bin/claude', 'linux')).toBe(true);
  });

  it('gets its arguments as they are, and is quoted when it fails', async () => {
    const options = { cwd: process.cwd(), env: process.env };
    const words = ['a b', '"; $HOME `x`', "'"];
    const script = `process.exitCode = JSON.stringify(process.argv.slice(1)) === ${JSON.stringify(JSON.stringify(words))} ? 0 : 1`;
    expect(await runProgram(process.execPath, ['-e', script, ...words], options)).toEqual({ ok: true, said: '' });
    const failing = ['-e', 'console.error("\\x1b[31mno\\n  way\\x1b[0m"); process.exit(3)'];
    expect(await runProgram(process.execPath, failing, options)).toEqual({ ok: false, said: ' no way ' });
    expect((await runProgram('/no/such/program', [], options)).ok).toBe(false);
  });
});
