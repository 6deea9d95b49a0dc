import { describe, expect, it } from 'vitest';
import { CLIENTS, findClient, type Client } from './clients.ts';
import { CLIENT_IDS } from './locations.ts';
import { planAdd, planRemove, type PlannedChange } from './plan-change.ts';
import { serverCommand } from './server-entry.ts';

const SERVER = { node: '/usr/bin/node', entry: '/opt/stet/dist/cli/main.js', memory: null, space: null, project: null };
const stet = serverCommand(SERVER);
const acme = serverCommand({ ...SERVER, space: 'acme' });

function done(planned: ReturnType<typeof planAdd>): PlannedChange {
  if (!planned.ok) throw new Error(planned.problems[0]?.message);
  return planned.value;
}

function client(name: string): Client {
  const found = findClient(name);
  if (!found) throw new Error(name);
  return found;
}

describe('the clients', () => {
  it('are those that have files', () => {
    expect(CLIENTS.map(({ id }) => id)).toEqual(CLIENT_IDS);
  });

  it('go by other names too', () => {
    expect(findClient(' Gemini ')?.id).toBe('gemini-cli');
    expect(findClient('claude')?.id).toBe('claude-code');
    expect(findClient('netscape')).toBeUndefined();
  });
});

describe.each(CLIENTS)('setting up $id', (each) => {
  it('adds an entry, finds it there, brings it up to date, and takes it out', () => {
    const added = done(planAdd(each, '', stet));
    expect(added).toMatchObject({ status: 'added', names: ['stet'] });
    expect(done(planAdd(each, added.text, stet))).toEqual({ status: 'unchanged', text: added.text, names: [] });

    const moved = serverCommand({ ...SERVER, entry: '/new/dist/cli/main.js', memory: '/data/stet' });
    const updated = done(planAdd(each, added.text, moved));
    expect(updated.status).toBe('updated');
    expect(updated.text).toContain('/data/stet');
    expect(updated.text).not.toContain('/opt/stet');

    const removed = done(planRemove(each, updated.text, null));
    expect(removed).toMatchObject({ status: 'removed', names: ['stet'] });
    expect(removed.text).not.toContain('stet');
    expect(done(planRemove(each, removed.text, null)).status).toBe('absent');
  });

  it('takes out one space’s entry, or all of its entries', () => {
    const both = done(planAdd(each, done(planAdd(each, '', stet)).text, acme)).text;
    expect(both).toContain('stet-acme');
    expect(done(planRemove(each, both, 'stet-acme'))).toMatchObject({ names: ['stet-acme'] });
    expect([...done(planRemove(each, both, null)).names].sort()).toEqual(['stet', 'stet-acme']);
  });

  it('leaves another server that has the name', () => {
    const theirs = serverCommand({ ...SERVER, node: 'npx', entry: '-y' });
    const keys = each.entry({ ...theirs, args: ['-y', 'stereo-tools', 'mcp'] });
    const file = each.format.put('', 'stet', keys);
    if (!file.ok) throw new Error('the fixture cannot be made');
    expect(planAdd(each, file.value, stet)).toMatchObject({ ok: false });
    expect(done(planRemove(each, file.value, null))).toMatchObject({ status: 'absent', text: file.value });
  });
});

describe('an entry', () => {
  it('has the shape that its client reads', () => {
    expect(client('claude-code').entry(stet)).toEqual({ type: 'stdio', command: stet.command, args: stet.args });
    expect(client('cursor').entry(stet)).toEqual({ command: stet.command, args: stet.args });
    expect(client('opencode').entry(stet)).toEqual({ type: 'local', command: [stet.command, ...stet.args] });
  });

  it('keeps what the user has set in it', () => {
    const text = `{ "mcpServers": { "stet": { "command": "stet", "args": ["mcp"], "alwaysAllow": ["recall"] } } }`;
    expect(done(planAdd(client('cursor'), text, stet)).text).toContain('"alwaysAllow": ["recall"]');
  });
});
