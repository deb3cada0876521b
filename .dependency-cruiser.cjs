'use strict';

/** Rules of imports between folders. The folders are explained in ARCHITECTURE.md. */
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });
const NODE_MODULES = '(^|/)node_modules/';
/** Modules of the platform that open a connection. Types alone open none. */
const NETWORK = '^(node:)?(http|https|http2|net|tls|dns|dns/promises|dgram)$';
/** RE2 in JavaScript, for patterns of expressions: pure, and loaded where a pattern is used. */
const PATTERN_ENGINE = 'node_modules/re2js/';
const PARSERS = 'node_modules/(yaml|ajv|ajv-formats)/';

/** Parts of core that only run where text is parsed, never inside a workflow. */
const CORE_PARSING = '^core/(playbook|connector)/';
/** Parts of core that the workflow sandbox loads. */
const CORE_RUNTIME = '^core/(base|errors|expr|graph|engine|transform)/';

module.exports = {
  forbidden: [
    rule('no-cycles', 'A cycle has no first part to read or to test.', {}, { circular: true }),
    rule('no-unresolved', 'Every import must be found.', {}, { couldNotResolve: true }),
    rule(
      'core-is-pure',
      'core imports nothing outside itself; a YAML parser and a schema library only in its parsing part.',
      { path: '^core/' },
      { pathNot: ['^core/', PARSERS, PATTERN_ENGINE] },
    ),
    rule(
      'patterns-have-one-door',
      'The engine of patterns is loaded by their functions alone.',
      { pathNot: '^(core/expr/functions/patterns|test/)' },
      { path: PATTERN_ENGINE },
    ),
    rule(
      'core-parsers-in-parsing',
      'Only the parsing part of core may load a parser.',
      { path: '^core/', pathNot: CORE_PARSING },
      {
        path: PARSERS,
      },
    ),
    rule(
      'core-runtime-is-light',
      'What a workflow loads never reaches the parsers.',
      { path: CORE_RUNTIME },
      {
        path: NODE_MODULES,
        pathNot: PATTERN_ENGINE,
        reachable: true,
      },
    ),
    rule(
      'workflows-are-thin',
      'Workflows import core and the workflow library; everything else breaks replay or the bundle.',
      { path: '^workflows/' },
      { pathNot: ['^workflows/', '^core/', '^activities/', 'node_modules/@temporalio/(workflow|common)/'] },
    ),
    rule(
      'workflows-see-types-of-activities',
      'Activities run elsewhere: workflows know their types alone.',
      { path: '^workflows/' },
      {
        path: '^activities/',
        dependencyTypesNot: ['type-only'],
      },
    ),
    rule(
      'workflows-without-parsers',
      'The workflow bundle holds no parser.',
      { path: '^workflows/' },
      {
        path: PARSERS,
        reachable: true,
      },
    ),
    rule(
      'the-failure-converter-is-bundled',
      'It is a part of the workflow bundle, by its path alone: what it imports must not break replay.',
      { path: '^infra/temporal/failure-converter' },
      { pathNot: ['node_modules/@temporalio/common/'] },
    ),
    rule(
      'activities-use-core-infra-and-connectors',
      'Activities know core, infra and connectors; of workflows at most the types of the messages between them.',
      { path: '^activities/' },
      {
        path: '^(workflows|src|worker|cli|web|scripts)/',
        dependencyTypesNot: ['type-only'],
      },
    ),
    rule(
      'infra-uses-core',
      'Infrastructure knows core; of workflows and activities at most the types.',
      { path: '^infra/' },
      {
        path: '^(workflows|activities|src|worker|cli|web|scripts)/',
        dependencyTypesNot: ['type-only'],
      },
    ),
    rule(
      'infra-knows-no-connectors',
      'Connectors stand on infrastructure, not the reverse; not even their types are known there.',
      { path: '^infra/' },
      { path: '^connectors/' },
    ),
    rule(
      'connectors-use-core-and-infra',
      'A call of a connector knows core and infra, and nothing of who makes it.',
      { path: '^connectors/' },
      { path: '^(workflows|activities|src|worker|cli|web|scripts)/' },
    ),
    rule(
      'api-uses-core-infra-and-connectors',
      'The API never carries out a step itself.',
      { path: '^src/' },
      {
        path: '^(workflows|activities|worker|cli|web|scripts)/|^infra/db/entities/',
      },
    ),
    rule(
      'worker-composes',
      'The worker puts core, infra, activities and workflows together.',
      { path: '^worker/' },
      {
        path: '^(src|cli|web|scripts)/',
      },
    ),
    rule(
      'cli-uses-the-api',
      'The command line speaks HTTP; of ours it imports core, the embedded profile and the offline check of decisions.',
      { path: '^cli/', pathNot: '^cli/af\\.cjs$' },
      {
        path: '^(src|worker|activities|workflows|connectors|web|scripts)/|^infra/(?!embedded/|decisions/verify-export)',
      },
    ),
    rule(
      'web-is-alone',
      'The web UI sees only types generated from openapi.json.',
      { path: '^web/' },
      { path: '^(?!web/|node_modules/)' },
    ),
    rule(
      'one-way-out',
      'Everything leaves through infra/egress. Only our own servers are met in another way: by the embedded profile, which starts them, by the API, which is one (and tells addresses apart), and by API and worker of one machine, which meet at a Unix socket.',
      {
        path: '^(activities|infra|connectors|worker|src)/',
        pathNot: [
          '^infra/(egress|embedded)/',
          '^src/(app|http|ws)/',
          '^src/identity/peer-network',
          '^infra/temporal/worker-starts',
          '^worker/serve-starts',
        ],
      },
      { path: NETWORK, dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'the-api-only-listens',
      'A server needs http and net, and asks nobody.',
      { path: '^src/' },
      { path: '^(node:)?(https|http2|tls|dns|dns/promises|dgram)$', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'http-client-in-egress',
      'The HTTP client belongs to the guard.',
      { path: '^(activities|infra|connectors|worker|src|cli)/', pathNot: '^infra/egress/' },
      { path: 'node_modules/undici/', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'models-in-llm',
      'The SDKs of models get a guarded fetch, which infra/llm hands them.',
      { path: '^(activities|infra|connectors|worker|src|cli)/', pathNot: '^infra/llm/' },
      { path: 'node_modules/(openai|@anthropic-ai/sdk)/', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'databases-by-two-ways',
      'Our own database is opened by infra/db and the embedded profile; that of a connector through a guarded connection.',
      {
        path: '^(activities|infra|connectors|worker|src|cli)/',
        pathNot: ['^infra/(db|embedded)/', '^connectors/kinds/database/'],
      },
      { path: 'node_modules/pg/', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'orm-in-db',
      'The ORM opens our database and runs its migrations; whoever wants data asks a store of infra/db.',
      { pathNot: ['^infra/db/', '^migrations/', '^test/'] },
      { path: 'node_modules/(typeorm|@nestjs/typeorm)/' },
    ),
    rule('nothing-imports-tests', 'Test code is no part of the product.', { pathNot: '^test/' }, { path: '^test/' }),
    rule(
      'no-development-packages',
      'What runs in production is a dependency.',
      { path: '^(core|infra|connectors|workflows|activities|worker|src|cli)/' },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|\\.af)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['require', 'node', 'import', 'types', 'default'],
    },
  },
};
