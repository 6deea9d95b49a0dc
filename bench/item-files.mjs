// How long item files take to read and to adopt, 10,000 at a time. Needs `npm run build`.
// Prints milliseconds of processor time (user), best and median of the runs, because other processes share the cores.
import matter from 'gray-matter';
import { parseDocument } from 'yaml';

import { adoptItemFile, parseItemFile } from '../dist/memory/item-file.js';
import { newId } from '../dist/memory/id.js';

const COUNT = 10_000;
const RUNS = 9;
const now = new Date();

const printed = (n) => `---
id: "${newId()}"
kind: decision
space: acme
source: Claude Code
created: "2026-09-15T10:31:04Z"
supersedes: "h7wq2c9d"
---
Customer ${n} signs users in with Auth0, tenant acme-${n}.
`;
const note = (n) => `---
title: "Note ${n}"
aliases:
  - N${n}
tags: [auth, sign-in]
rating: 007 # of ten
---

# Note ${n}

Customer ${n} signs users in with Auth0.

- one
- two
`;
const body = (n) => `# Note ${n}\n\nCustomer ${n} signs users in with Auth0.\n`;

const files = (make) =>
  Array.from({ length: COUNT }, (_, n) => ({
    path: `spaces/acme/2026-09/note-${n}.md`,
    bytes: Buffer.from(make(n)),
  }));
const parse = (file) => parseItemFile({ ...file, modified: now });
const adopt = (file) => adoptItemFile({ ...file, now });
const yamlOf = ({ bytes }) => bytes.toString().split('---\n')[1] ?? '';

const jobs = [
  { name: 'read items that stet wrote', inputs: files(printed), job: parse },
  { name: 'read notes with richer YAML', inputs: files(note), job: parse },
  { name: 'read notes without frontmatter', inputs: files(body), job: parse },
  { name: 'adopt notes with richer YAML', inputs: files(note), job: adopt },
  { name: 'adopt notes without frontmatter', inputs: files(body), job: adopt },
  {
    name: 'for comparison: gray-matter as it comes (js-yaml)',
    inputs: files(printed),
    job: ({ bytes }) => matter(bytes.toString(), {}),
  },
  {
    name: 'for comparison: the yaml library, frontmatter only',
    inputs: files(printed),
    job: (file) => parseDocument(yamlOf(file)),
  },
];

console.log(`${COUNT} files, ${RUNS} runs, Node ${process.versions.node}; ms of processor time\n`);
console.log('| | best | median |\n|---|---|---|');
for (const { name, inputs, job } of jobs) {
  const times = [];
  for (let run = 0; run < RUNS; run++) {
    const before = process.cpuUsage();
    for (const input of inputs) job(input);
    times.push(process.cpuUsage(before).user / 1_000);
  }
  times.sort((a, b) => a - b);
  console.log(`| ${name} | ${Math.round(times[0])} | ${Math.round(times[RUNS >> 1])} |`);
}
