import { describe, expect, it } from 'vitest';
import { editorFor, openerFor } from './external-program.ts';

describe('the editor', () => {
  it.each([
    { environment: { VISUAL: 'code --wait', EDITOR: 'nano' }, editor: 'code --wait' },
    { environment: { VISUAL: ' ', EDITOR: 'nano' }, editor: 'nano' },
    { environment: {}, editor: 'vi' },
  ])('is $editor for $environment, a command line that gets the file as one argument', ({ environment, editor }) => {
    expect(editorFor("/tmp/it's here.md", environment, 'linux')).toEqual({
      command: 'sh',
      args: ['-c', `${editor} "$@"`, editor, "/tmp/it's here.md"],
      shell: false,
    });
  });

  it('is Notepad on Windows where nothing is set, and the path is quoted', () => {
    expect(editorFor('C:\\Users\\Ana B\\x.md', {}, 'win32')).toEqual({
      command: 'notepad "C:\\Users\\Ana B\\x.md"',
      args: [],
      shell: true,
    });
  });
});

it.each([
  ['darwin', 'open'],
  ['win32', 'explorer.exe'],
  ['linux', 'xdg-open'],
] as const)('opens on %s with %s', (platform, command) => {
  expect(openerFor('/a b', platform)).toEqual({ command, args: ['/a b'], shell: false });
});
