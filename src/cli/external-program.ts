// Which program of the user's edits a file or shows a folder, as data for `spawn`. Pure: platform and environment are given.

export interface ExternalProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** The command is a line for the system's shell: it may bring arguments (`code --wait`). */
  readonly shell: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** `$VISUAL`, `$EDITOR`, else `vi` or Notepad; as git does, the value is a command line that the file is added to. */
export function editorFor(file: string, environment: Environment, platform: NodeJS.Platform): ExternalProgram {
  const named = [environment['VISUAL'], environment['EDITOR']].find((each) => each !== undefined && each.trim() !== '');
  const windows = platform === 'win32';
  const editor = named ?? (windows ? 'notepad' : 'vi');
  if (windows) return { command: `${editor} "${file}"`, args: [], shell: true };
  return { command: 'sh', args: ['-c', `${editor} "$@"`, editor, file], shell: false };
}

/** What the desktop opens a file or folder with. */
export function openerFor(path: string, platform: NodeJS.Platform): ExternalProgram {
  if (platform === 'darwin') return { command: 'open', args: [path], shell: false };
  if (platform === 'win32') return { command: 'explorer.exe', args: [path], shell: false };
  return { command: 'xdg-open', args: [path], shell: false };
}
