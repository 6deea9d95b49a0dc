// The import directions of ARCHITECTURE.md: memory imports no layer; repo, watch, index and clients import memory
// alone; mcp, cli and ui reach adapters only through app.
const LAYERS = ['repo', 'watch', 'index', 'clients', 'mcp', 'cli', 'ui', 'service'];
const others = (...allowed) =>
  `^src/((${LAYERS.filter((layer) => !allowed.includes(layer)).join('|')})/|app[^/]*\\.ts)`;
const layer = (name, ...allowed) => ({
  name: `${name}-imports-only-${['memory', ...allowed].join('-')}`,
  severity: 'error',
  from: { path: `^src/${name}/` },
  to: { path: others(name, ...allowed).replace(allowed.includes('app') ? '|app[^/]*\\.ts' : '', '') },
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    layer('memory'),
    layer('repo'),
    layer('watch'),
    layer('index'),
    layer('clients'),
    layer('service', 'repo', 'watch', 'index', 'clients'),
    layer('mcp', 'app'),
    layer('cli', 'app', 'mcp'),
    layer('ui', 'app'),
    {
      name: 'memory-does-no-io',
      severity: 'error',
      from: { path: '^src/memory/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|buffer)$' },
    },
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'no-orphans', severity: 'error', from: { orphan: true, path: '^src/', pathNot: '\\.test\\.ts$' }, to: {} },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
