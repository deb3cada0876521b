import { z } from 'zod';
import { CONNECTOR_VARIABLES } from './connector-variables';
import { EGRESS_VARIABLES } from './egress-variables';
import { flag, hostPort, hostPorts, integer, models, path, paths, postgresUrl, text, timeZone, url } from './parsers';
import { optional, required, type Variable } from './variable';
import { WORKER_VARIABLES } from './worker-variables';

const seconds = (min: number): string => `a whole number of seconds, at least ${min}`;
const count = (min: number): string => `a whole number, at least ${min}`;
const MANY = 1_000_000;
const DAY = 86_400;

/** Every environment variable of the product: field of Config → variable. The docs and the tests read this table. */
export const VARIABLES = {
  home: required(
    'AF_HOME',
    { default: '.af', expected: 'a directory', description: 'Directory of all data of the embedded profile.' },
    path,
  ),
  cacheDir: optional(
    'AF_CACHE_DIR',
    {
      expected: 'a directory',
      description: 'Directory of fetched programs, to share them between homes. Unset: bin in AF_HOME.',
    },
    path,
  ),
  apiUrl: optional(
    'AF_URL',
    {
      expected: 'an http(s) URL',
      description: 'API that the command line calls. Unset: the one that runs in AF_HOME.',
    },
    url,
  ),
  apiKey: optional(
    'AF_API_KEY',
    {
      expected: 'an API key',
      description: 'Key that the command line shows to the API. Unset: local.key, for the API that runs in AF_HOME.',
    },
    text,
  ),
  port: required(
    'AF_PORT',
    {
      default: '3000',
      expected: 'a port number from 1 to 65535',
      description: 'Port of the API. If it is taken, the next free one is used.',
    },
    integer(1, 65_535),
  ),
  host: required(
    'AF_HOST',
    { default: '127.0.0.1', expected: 'a host name or address', description: 'Address that the API listens on.' },
    text,
  ),
  allowedHosts: required(
    'AF_ALLOWED_HOSTS',
    {
      default: '',
      expected: 'host:port, comma-separated',
      description:
        'Further values of the Host header that the API answers to, besides loopback names with its own port. A client may leave out port 80 or 443. The first one is the address in the first administrator’s link, with https for port 443.',
    },
    hostPorts,
  ),
  databaseUrl: optional(
    'DATABASE_URL',
    {
      expected: 'postgres://user:password@host:port/database',
      description:
        'PostgreSQL to use, as af_login or as an administrator (then processes log in as af_login all the same). Unset: the embedded one.',
    },
    postgresUrl,
  ),
  migrateDatabaseUrl: optional(
    'AF_MIGRATE_DATABASE_URL',
    {
      expected: 'postgres://user:password@host:port/database',
      description:
        'Login of an administrator of the same database, for the API alone: it brings the schema up to date. Unset: DATABASE_URL, if it names an administrator.',
    },
    postgresUrl,
  ),
  dbPool: required(
    'AF_DB_POOL',
    {
      default: '10',
      expected: 'a whole number from 1 to 1000',
      description: 'Database connections of each process, beside one that listens.',
    },
    integer(1, 1_000),
  ),
  dbPreparedStatements: required(
    'AF_DB_PREPARED_STATEMENTS',
    {
      default: 'on',
      expected: 'on or off',
      description:
        'Whether database connections keep their statements parsed and planned. Off only behind a pooler that gives each transaction another connection and does not follow named statements.',
    },
    flag,
  ),
  temporalAddress: optional(
    'TEMPORAL_ADDRESS',
    {
      expected: 'host:port',
      description:
        'Temporal server to use. Unset: the embedded one. TLS and API keys: the standard TEMPORAL_* variables of the SDK.',
    },
    hostPort,
  ),
  temporalNamespace: required(
    'TEMPORAL_NAMESPACE',
    { default: 'default', expected: 'the name of a namespace', description: 'Temporal namespace.' },
    text,
  ),
  temporalCliPath: optional(
    'TEMPORAL_CLI_PATH',
    { expected: 'the path of the temporal program', description: 'Program that serves the embedded Temporal.' },
    path,
  ),
  temporalUiUrl: optional(
    'AF_TEMPORAL_UI_URL',
    { expected: 'an http(s) URL', description: 'Where Temporal Web is, for links to runs.' },
    url,
  ),
  masterKeys: optional(
    'AF_MASTER_KEYS',
    {
      expected: 'id:base64 of 32 random bytes, comma-separated, the current one first',
      description: 'Master keys that secrets and workflow payloads are encrypted under. Unset: the key file.',
    },
    text,
  ),
  masterKeysFile: optional(
    'AF_MASTER_KEYS_FILE',
    {
      expected: 'a file of mode 0600',
      description:
        'Master keys, one a line, the current one first. Unset: master.keys in AF_HOME, which the embedded profile writes at its first start.',
    },
    path,
  ),
  payloadEncryption: required(
    'AF_PAYLOAD_ENCRYPTION',
    {
      default: 'on',
      expected: 'on or off',
      description:
        "Whether payloads, summaries, details and messages of failures in Temporal's histories are encrypted.",
    },
    flag,
  ),
  queuePrefix: required(
    'AF_QUEUE_PREFIX',
    {
      default: '',
      expected: 'letters, digits, dots, dashes and underscores',
      description: 'Put in front of every task queue, so that several installations can share a namespace.',
    },
    z.string().regex(/^[A-Za-z0-9._-]*$/),
  ),
  heartbeatSeconds: required(
    'AF_HEARTBEAT_SECONDS',
    { default: '5', expected: seconds(1), description: 'How often a running activity says that it lives.' },
    integer(1, DAY),
  ),
  heartbeatTimeoutSeconds: required(
    'AF_HEARTBEAT_TIMEOUT_SECONDS',
    {
      default: '15',
      expected: `${seconds(1)}, more than AF_HEARTBEAT_SECONDS`,
      description: 'Silence after which a worker counts as lost.',
    },
    integer(1, DAY),
  ),
  sweepSeconds: required(
    'AF_SWEEP_SECONDS',
    { default: '10', expected: seconds(1), description: 'How often runs that a crash left pending are looked for.' },
    integer(1, DAY),
  ),
  ownerRunningCap: required(
    'AF_OWNER_RUNNING_CAP',
    {
      default: '50',
      expected: count(1),
      description:
        'Runs of one owner that run at the same time; more wait as pending. Runs that wait for a person do not count.',
    },
    integer(1, MANY),
  ),
  reconcileSeconds: required(
    'AF_RECONCILE_SECONDS',
    { default: '30', expected: seconds(1), description: 'How often open runs are compared with Temporal.' },
    integer(1, DAY),
  ),
  deliverSeconds: required(
    'AF_DELIVER_SECONDS',
    { default: '5', expected: seconds(1), description: 'How often a received decision is delivered again.' },
    integer(1, DAY),
  ),
  shutdownGraceSeconds: required(
    'AF_SHUTDOWN_GRACE',
    { default: '30', expected: seconds(0), description: 'Time that work in flight gets at shutdown.' },
    integer(0, DAY),
  ),
  timeZone: required(
    'AF_TIME_ZONE',
    {
      default: 'UTC',
      expected: 'an IANA time zone such as Europe/Berlin',
      description: 'Zone of {today} and {now} for runs that name none.',
    },
    timeZone,
  ),
  ...EGRESS_VARIABLES,
  ...CONNECTOR_VARIABLES,
  importDirs: required(
    'AF_IMPORT_DIRS',
    {
      default: '',
      expected: 'directories, separated by colons or commas',
      description: "Directories that file connectors may read. Empty: the example's folder.",
    },
    paths,
  ),
  models: required(
    'AF_MODELS',
    {
      default: '',
      expected: 'provider/model, comma-separated, provider openai or anthropic',
      description: 'Models in order of preference; the next one is used when one fails.',
    },
    models,
  ),
  openaiApiKey: optional(
    'OPENAI_API_KEY',
    { expected: 'a key', description: 'Key for OpenAI or a compatible server.' },
    text,
  ),
  openaiBaseUrl: optional(
    'OPENAI_BASE_URL',
    { expected: 'an http(s) URL', description: 'Compatible server to use in place of OpenAI.' },
    url,
  ),
  anthropicApiKey: optional(
    'ANTHROPIC_API_KEY',
    { expected: 'a key', description: 'Key for Anthropic or a compatible server.' },
    text,
  ),
  anthropicBaseUrl: optional(
    'ANTHROPIC_BASE_URL',
    { expected: 'an http(s) URL', description: 'Compatible server to use in place of Anthropic.' },
    url,
  ),
  llmIdleSeconds: required(
    'AF_LLM_IDLE_SECONDS',
    {
      default: '180',
      expected: seconds(1),
      description: 'Silence of a model provider after which the next model is tried.',
    },
    integer(1, DAY),
  ),
  registration: optional(
    'AF_REGISTRATION',
    {
      expected: 'open, invite or closed; open only where AF_HOST is a loopback address',
      description:
        'Who may make an account: anybody on this machine, invited people, nobody. Unset: open on a loopback address, else invite.',
    },
    z
      .string()
      .trim()
      .pipe(z.enum(['open', 'invite', 'closed'])),
  ),
  localKey: required(
    'AF_LOCAL_KEY',
    {
      default: 'off',
      expected: 'on or off',
      description:
        "Whether the API keeps a key of the first administrator in local.key of AF_HOME (mode 0600). The embedded profile's is on.",
    },
    flag,
  ),
  signalApprovals: required(
    'AF_SIGNAL_APPROVALS',
    {
      default: 'off',
      expected: 'on or off',
      description:
        "Whether a signal from Temporal Web or the temporal command may decide approvals. The embedded profile's is on while Temporal is its own.",
    },
    flag,
  ),
  supervise: required(
    'AF_SUPERVISE',
    { default: '1', expected: '1 or 0', description: 'Whether npm start restarts parts that died.' },
    flag,
  ),
  ...WORKER_VARIABLES,
  logLevel: required(
    'AF_LOG_LEVEL',
    {
      default: 'info',
      expected: 'fatal, error, warn, info, debug, trace or silent',
      description: 'Least severe level that is logged.',
    },
    z
      .string()
      .trim()
      .pipe(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])),
  ),
  continueAsNewEvents: required(
    'AF_CONTINUE_AS_NEW_EVENTS',
    {
      default: '2000',
      expected: 'a whole number from 50 to 40000',
      description: 'Events in a history after which a run continues in a new one.',
    },
    integer(50, 40_000),
  ),
  blobThresholdBytes: required(
    'AF_BLOB_THRESHOLD_BYTES',
    {
      default: '32768',
      expected: 'bytes, from 1024 to 1048576',
      description: 'Payloads above this size are kept outside the history.',
    },
    integer(1_024, 1_048_576),
  ),
  blobDir: optional(
    'AF_BLOB_DIR',
    {
      expected: 'a directory',
      description: 'Directory for large values and documents, shared by all processes. Unset: the database.',
    },
    path,
  ),
  valueLimitBytes: required(
    'AF_VALUE_LIMIT_BYTES',
    {
      default: '1048576',
      expected: 'bytes, from 1024 to 16777216',
      description: 'Step results above this size stay outside the workflow.',
    },
    integer(1_024, 16_777_216),
  ),
  maxUploadMb: required(
    'AF_MAX_UPLOAD_MB',
    { default: '64', expected: 'megabytes, from 1 to 1024', description: 'Largest document that may be uploaded.' },
    integer(1, 1_024),
  ),
  writesPerSecond: required(
    'AF_WRITES_PER_SECOND',
    {
      default: '200',
      expected: 'a whole number from 1 to 1000000',
      description:
        'Requests that change something, which an API process takes from one account and from one address; ten times as many at once. Behind a proxy all come from its address.',
    },
    integer(1, MANY),
  ),
} as const;

type Values<T> = { readonly [K in keyof T]: T[K] extends Variable<infer V> ? V : never };
/** The whole configuration of a process; times in seconds, sizes in bytes unless the name says otherwise. */
export type Config = Values<typeof VARIABLES>;

/** Names, meanings and defaults, for docs and checks. */
export const configVariables: readonly Omit<Variable<unknown>, 'schema'>[] = Object.values(VARIABLES).map(
  ({ name, description, expected, ...rest }: Omit<Variable<unknown>, 'schema'>) => ({
    name,
    description,
    expected,
    ...(rest.default === undefined ? {} : { default: rest.default }),
  }),
);
