import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { tomlConfig } from './toml-config.ts';

const config = tomlConfig('mcp_servers');
const KEYS = { command: '/usr/bin/node', args: ['/opt/stet/main.js', 'mcp'] };
const BLOCK = '[mcp_servers.stet]\ncommand = "/usr/bin/node"\nargs = [ "/opt/stet/main.js", "mcp" ]\n';

function put(text: string, name = 'stet'): string {
  const edited = config.put(text, name, KEYS);
  if (!edited.ok) throw new Error(edited.problems[0]?.message);
  return edited.value;
}

function remove(text: string): string {
  const edited = config.remove(text, 'stet');
  if (!edited.ok) throw new Error(edited.problems[0]?.message);
  return edited.value;
}

const MINE = `# my settings
model = "gpt-5"  # keep
big = 9223372036854775807
when = 1979-05-27T07:32:00-08:00

[mcp_servers.other]
command = "x"
args = [
  "a", # first
]

[projects."/work/shop"]
trust_level = "trusted"
# the end
`;

describe('an entry put into a TOML file', () => {
  it('is a table at its end, and every other byte stays', () => {
    expect(put(MINE)).toBe(`${MINE}\n${BLOCK}`);
    expect(remove(put(MINE))).toBe(MINE);
  });

  it('makes the file where it is blank, and leaves it blank again', () => {
    expect(put('')).toBe(BLOCK);
    expect(remove(BLOCK)).toBe('');
  });

  it('follows a last line that has no end, and keeps CRLF', () => {
    expect(put('a = 1')).toBe(`a = 1\n\n${BLOCK}`);
    const crlf = 'a = 1\r\n[b]\r\nc = 2\r\n';
    expect(put(crlf)).toBe(`${crlf}\r\n${BLOCK.replaceAll('\n', '\r\n')}`);
    expect(remove(put(crlf))).toBe(crlf);
  });

  it('sets its own keys and keeps what the user has beside them', () => {
    const before = `[mcp_servers.stet] # mine
startup_timeout_sec = 5
command = "old" # "#" old
args = [
  "x", # ]
  "y",
]
enabled_tools = ["recall"]

[mcp_servers.stet.env]
command = "A"

[other]
command = "B"
`;
    expect(put(before)).toBe(`[mcp_servers.stet] # mine
startup_timeout_sec = 5
command = "/usr/bin/node" # "#" old
args = [ "/opt/stet/main.js", "mcp" ]
enabled_tools = ["recall"]

[mcp_servers.stet.env]
command = "A"

[other]
command = "B"
`);
    expect(put('[mcp_servers.stet]\nenv = {}\n')).toBe(
      '[mcp_servers.stet]\nargs = [ "/opt/stet/main.js", "mcp" ]\ncommand = "/usr/bin/node"\nenv = {}\n',
    );
    expect(put(put(before))).toBe(put(before));
  });

  it('prints paths of Windows so that they are read back', () => {
    const keys = { command: 'C:\\Program Files\\node.exe', args: ['C:\\new\\"x"\\main.js', 'mcp'] };
    const edited = config.put('', 'stet', keys);
    expect(edited.ok && parse(edited.value)).toEqual({ mcp_servers: { stet: keys } });
  });
});

describe('an entry taken out of a TOML file', () => {
  it('goes with its own tables, wherever they stand, and leaves the comments of the others', () => {
    const before = `[mcp_servers."stet"]
command = "x"
# inside
args = []

# about a
[a]
b = 1

[ mcp_servers . stet . env ] # c
X = "y"
[[mcp_servers.stet.list]]
z = 1

[[c]]
d = 2
`;
    expect(remove(before)).toBe('# about a\n[a]\nb = 1\n\n[[c]]\nd = 2\n');
  });

  it('that is not there changes nothing', () => {
    expect(remove(MINE)).toBe(MINE);
    expect(remove('')).toBe('');
  });
});

describe('a TOML file that cannot be edited with certainty', () => {
  it.each([
    ['broken', 'a = 1\nb = \n', 2, 'The file is broken'],
    ['with servers that are no table', 'mcp_servers = 5\n', 1, 'is not a table'],
    ['with servers in an inline table', 'mcp_servers = { other = { command = "x" } }\n', 1, 'by hand'],
    ['with the entry in an inline table', '[mcp_servers]\nstet = { command = "x", args = [] }\n', 1, 'by hand'],
    ['with the entry in dotted keys', '[mcp_servers]\nstet.command = "x"\n', 1, 'by hand'],
    [
      'with a header inside a string',
      'a = """\n[mcp_servers.stet]\n"""\n[mcp_servers]\nstet.command = "x"\n',
      1,
      'by hand',
    ],
  ])('is refused for a change: %s', (_, text, line, says) => {
    const refused = config.put(text, 'stet', KEYS);
    expect(refused).toMatchObject({ ok: false, problems: [{ line }] });
    expect(JSON.stringify(refused)).toContain(says);
  });

  it('is refused for a removal', () => {
    expect(config.remove('[mcp_servers]\nstet.command = "x"\n', 'stet').ok).toBe(false);
    expect(config.remove('a = """\n[mcp_servers.stet]\nb"""\n[mcp_servers]\nstet.command = "x"\n', 'stet').ok).toBe(
      false,
    );
  });

  it.each([
    ['another table', '[notes]\na = """\n[mcp_servers.stet]\ngone\n[notes]\n"""\n'],
    ['another server', '[mcp_servers.x]\na = """\n[mcp_servers.stet]\ngone\n[mcp_servers.x]\n"""\n'],
  ])('is refused rather than lose a line of a string in %s', (_, other) => {
    expect(config.remove(`[mcp_servers.stet]\ncommand = "x"\n${other}`, 'stet').ok).toBe(false);
  });

  it('lists what it has', () => {
    const listed = config.list(MINE);
    expect(listed.ok && [...listed.value]).toEqual([['other', { command: 'x', args: ['a'] }]]);
  });
});
