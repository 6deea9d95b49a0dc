import { expect, it } from 'vitest';
import { toFolders } from './client-folders.ts';

it.each([
  { uri: 'file:///home/ana/work/acme', windows: false, folder: '/home/ana/work/acme' },
  { uri: 'file:///home/ana/caf%C3%A9%20au%20lait', windows: false, folder: '/home/ana/café au lait' },
  { uri: '/home/ana/100% acme', windows: false, folder: '/home/ana/100% acme' },
  { uri: 'file:///C:/Users/Ana%20B/acme', windows: true, folder: 'C:\\Users\\Ana B\\acme' },
  { uri: 'file:///c%3A/Users/acme', windows: true, folder: 'c:\\Users\\acme' },
  { uri: 'C:\\Users\\acme', windows: true, folder: 'C:\\Users\\acme' },
  { uri: 'c:/Users/acme', windows: true, folder: 'c:/Users/acme' },
  { uri: '\\\\nas\\work\\acme', windows: true, folder: '\\\\nas\\work\\acme' },
])('takes $uri for a folder', ({ uri, windows, folder }) => {
  expect(toFolders([{ uri }], windows)).toEqual([folder]);
});

it.each([
  { uri: 'vscode-remote://ssh/home/ana', windows: false },
  { uri: 'file://other-host/home/ana', windows: false },
  { uri: 'work/acme', windows: false },
  { uri: 'C:\\Users\\acme', windows: false },
  { uri: '//other-host/share', windows: false },
  { uri: '', windows: true },
])('takes $uri for none', ({ uri, windows }) => {
  expect(toFolders([{ uri }], windows)).toEqual([]);
});
