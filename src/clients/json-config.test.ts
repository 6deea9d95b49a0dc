import * as fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { jsonConfig } from './json-config.ts';

const config = jsonConfig({ servers: ['mcpServers'], takes: 'comments-and-trailing-commas' });
const KEYS = { command: '/usr/bin/node', args: ['/opt/stet/main.js', 'mcp'] };

function put(text: string, format = config): string {
  const edited = format.put(text, 'stet', KEYS);
  if (!edited.ok) throw new Error(edited.problems[0]?.message);
  return edited.value;
}

function remove(text: string, format = config): string {
  const edited = format.remove(text, 'stet');
  if (!edited.ok) throw new Error(edited.problems[0]?.message);
  return edited.value;
}

describe('an entry put into a JSON file', () => {
  it('makes the file where it is blank', () => {
    const made = `{
  "mcpServers": {
    "stet": {
      "command": "/usr/bin/node",
      "args": [
        "/opt/stet/main.js",
        "mcp"
      ]
    }
  }
}
`;
    expect(put('')).toBe(made);
    expect(put(' \n\n')).toBe(made);
    expect(put('{}\n')).toBe(made);
  });

  it('stands before the others, in their style, and leaves every other byte', () => {
    const before = `{
\t// what I use
\t"theme": "dark", /* or light */
\t"mcpServers": { // servers
\t\t// GitHub
\t\t"github": { "command": "gh-mcp", "args": [] }, // tail
\t},
}
`;
    const after = put(before);
    expect(after).toBe(
      before.replace(
        '// servers\n',
        '// servers\n\t\t"stet": {\n\t\t\t"command": "/usr/bin/node",\n\t\t\t"args": [\n\t\t\t\t"/opt/stet/main.js",\n\t\t\t\t"mcp"\n\t\t\t]\n\t\t},\n',
      ),
    );
    expect(remove(after)).toBe(before);
  });

  it('goes on the same line in a file that is one line', () => {
    const before = '{"a":1,"mcpServers":{"x":{"command":"x"}}}';
    const after =
      '{"a":1,"mcpServers":{"stet":{"command":"/usr/bin/node","args":["/opt/stet/main.js","mcp"]},"x":{"command":"x"}}}';
    expect(put(before)).toBe(after);
    expect(remove(after)).toBe(before);
    expect(parse(put('{"mcpServers":{}}'))).toEqual({ mcpServers: { stet: KEYS } });
    expect(remove(put('{"mcpServers":{}}'))).toBe('{"mcpServers":{}}');
  });

  it('keeps CRLF line ends and a BOM', () => {
    const before = '\uFEFF{\r\n    "mcpServers": {\r\n        "x": {}\r\n    }\r\n}';
    const after = put(before);
    expect(after.replaceAll('\r\n', '')).not.toContain('\n');
    expect(after.startsWith('\uFEFF{\r\n    "mcpServers": {\r\n        "stet": {\r\n            "command"')).toBe(true);
    expect(remove(after)).toBe(before);
  });

  it('sets its own keys and keeps what the user has beside them', () => {
    const before = `{ "mcpServers": {
    "stet": { "args": ["old"], "disabled": true, /* mine */ "env": { "A": "b" } }
  } }`;
    expect(put(before)).toBe(`{ "mcpServers": {
    "stet": {"command":"/usr/bin/node", "args": ["/opt/stet/main.js","mcp"], "disabled": true, /* mine */ "env": { "A": "b" } }
  } }`);
    expect(put(put(before))).toBe(put(before));
  });

  it('goes into an object that holds a comment alone', () => {
    const after = put('{\n  "mcpServers": {\n    // none yet\n  }\n}\n');
    expect(after).toContain('// none yet');
    expect(parse(after)).toEqual({ mcpServers: { stet: KEYS } });
  });

  it('goes where the file has its servers, when there are two places', () => {
    const both = jsonConfig({ servers: ['mcp'], otherServers: ['mcp', 'servers'], takes: 'comments' });
    expect(parse(put('{ "mcp": { "servers": { "x": {} } } }', both))).toEqual({
      mcp: { servers: { stet: KEYS, x: {} } },
    });
    expect(parse(put('{ "mcp": { "x": {} } }', both))).toEqual({ mcp: { stet: KEYS, x: {} } });
    // A server may be called "servers".
    const named = '{ "mcp": { "servers": { "type": "local", "command": ["x"] } } }';
    expect(parse(put(named, both))).toEqual({ mcp: { stet: KEYS, servers: { type: 'local', command: ['x'] } } });
  });
});

describe('an entry taken out of a JSON file', () => {
  it.each([
    [
      'the last of several',
      '{\n  "mcpServers": {\n    "x": {}, // keep me\n    "stet": {}\n  }\n}',
      '{\n  "mcpServers": {\n    "x": {} // keep me\n  }\n}',
    ],
    [
      'the last, before a trailing comma',
      '{ "mcpServers": { "x": {}, "stet": {}, } }',
      '{ "mcpServers": { "x": {}, } }',
    ],
    [
      'one in the middle',
      '{ "mcpServers": { "x": {}, "stet": {}, "y": {} } }',
      '{ "mcpServers": { "x": {}, "y": {} } }',
    ],
    [
      'one with a comment before its comma',
      '{ "mcpServers": { "stet": {} /* c */, "y": {} } }',
      '{ "mcpServers": { /* c */ "y": {} } }',
    ],
    ['the only one', '{\n  "mcpServers": {\n    "stet": {},\n  }\n}', '{\n  "mcpServers": {}\n}'],
    [
      'the only one, under a comment',
      '{\n  "mcpServers": {\n    // c\n    "stet": {}\n  }\n}',
      '{\n  "mcpServers": {\n    // c\n  }\n}',
    ],
  ])('leaves the comments and the others: %s', (_, before, after) => {
    expect(remove(before)).toBe(after);
  });

  it('that is not there changes nothing', () => {
    expect(remove('{ "mcpServers": { "x": {} } , }')).toBe('{ "mcpServers": { "x": {} } , }');
    expect(remove('')).toBe('');
  });
});

describe('a JSON file that cannot be edited with certainty', () => {
  it.each([
    ['broken', '{\n  "mcpServers": {\n    "x": {}\n', 4, 'broken'],
    ['broken by a missing comma', '{\n  "a": 1\n  "b": 2\n}', 3, 'a comma is missing'],
    ['with merge markers', '<<<<<<< HEAD\n{}\n', 1, 'broken'],
    ['a list', '[]', 1, 'something else than a JSON object'],
    ['with servers that are no object', '{\n  "mcpServers": null\n}', 2, '"mcpServers" is not an object'],
    ['with an entry that is no object', '{ "mcpServers": {\n "stet": 5 } }', 2, '"stet" is not an object'],
    ['with a key twice', '{ "mcpServers": {}, "mcpServers": {} }', 1, 'twice'],
    ['with the entry twice', '{ "mcpServers": { "stet": {}, "stet": {} } }', 1, 'twice'],
  ])('is refused with the line: %s', (_, text, line, says) => {
    const refused = config.put(text, 'stet', KEYS);
    expect(refused).toMatchObject({ ok: false, problems: [{ line }] });
    expect(JSON.stringify(refused)).toContain(says.replaceAll('"', '\\"'));
  });

  it('is refused where the client itself would not read it', () => {
    const strict = jsonConfig({ servers: ['mcpServers'], takes: 'json' });
    const commented = jsonConfig({ servers: ['mcpServers'], takes: 'comments' });
    expect(strict.put('{\n  // c\n}', 'stet', KEYS)).toMatchObject({ ok: false, problems: [{ line: 2 }] });
    expect(strict.put('{ "a": 1, }', 'stet', KEYS).ok).toBe(false);
    expect(commented.put('{\n  // c\n}', 'stet', KEYS).ok).toBe(true);
    expect(commented.put('{ "a": 1, }', 'stet', KEYS).ok).toBe(false);
  });
});

describe('whatever a JSON file looks like', () => {
  // Members on lines of their own or not, with comments anywhere, with a comma at the end or not.
  const gap = fc.constantFrom('', ' ', '\n  ', '\r\n\t', ' // c { , }\n ', ' /* d " */ ', '\n // e\n');
  const value = fc.constantFrom('1', '"a // b"', 'null', '[1, { "stet": {} } ,2]', '{ "command": "x,}" }', '{}');
  const member = fc.tuple(gap, gap, value, gap).map(
    ([before, space, text, after]) =>
      (key: string) =>
        `${before}"${key}"${space}:${space}${text}${after}`,
  );
  const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'stet-acme', 'stet '), { maxLength: 4 });
  const servers = fc
    .tuple(names, fc.array(member, { minLength: 4, maxLength: 4 }), gap, fc.boolean())
    .map(([keys, print, end, comma]) => {
      const inside = keys.map((key, place) => print[place]?.(key) ?? '').join(',');
      return `{${inside}${comma && keys.length > 0 ? ',' : ''}${end}}`;
    });

  it('a put adds the entry, changes nothing else, and a removal gives the old bytes back', () => {
    fc.assert(
      fc.property(servers, gap, gap, (inner, before, after) => {
        const text = `{${before}"z":${after}1,${before}"mcpServers":${after}${inner}${after}}`;
        const edited = put(text);
        const { z, mcpServers } = parse(text) as { z: number; mcpServers: object };
        expect(parse(edited)).toEqual({ z, mcpServers: { ...mcpServers, stet: KEYS } });
        expect(put(edited)).toBe(edited);
        for (const comment of text.match(/\/\/.*|\/\*.*?\*\//g) ?? []) expect(edited).toContain(comment);
        const blanks = Object.keys(mcpServers).length === 0 ? /\s+/g : /(?!)/g;
        expect(remove(edited).replace(blanks, '')).toBe(text.replace(blanks, ''));
      }),
      { numRuns: 500 },
    );
  });

  it('a put makes the object of servers where there is none', () => {
    fc.assert(
      fc.property(gap, gap, (before, after) => {
        const text = `{${before}"z":${after}1${before}}`;
        expect(parse(put(text))).toEqual({ z: 1, mcpServers: { stet: KEYS } });
      }),
    );
  });
});
