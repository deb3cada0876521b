import { existsSync } from 'node:fs';
import type { Context } from '../context';
import { writeOut } from '../write-out';
import { type CliProblem, EXIT, type ExitCode, usageError } from '../errors';
import type { ConnectorHealth, ConnectorTest } from '../http/types';
import { endpointTypes, savedEndpointTypes } from '../declared-types';
import { appendValue, readInputs } from '../inputs';
import { readSource } from '../read-source';
import { problemLine } from '../output';
import { connectorTestText } from '../view/connector-test-text';
import type { Register } from './command';

interface Draft {
  source: string;
  valid: boolean;
  problems: CliProblem[];
}

interface DraftOptions {
  id?: string;
  name?: string;
  url?: string;
  baseUrl?: string;
  include?: string[];
  out?: string;
}

interface TestOptions {
  input: string[];
  inputs?: string;
  allowEffects?: true;
  profile?: string;
}

export const registerConnectors: Register = (program, wrap) => {
  const connectors = program.command('connectors').description('sources that playbooks read, and how to build one');
  connectors
    .command('validate')
    .description('check a connector file; every problem with its line and a way to mend it')
    .argument('<file>', 'YAML or JSON; - for standard input')
    .action(wrap(validate));
  connectors
    .command('test')
    .description('call one endpoint of a connector and show what came back')
    .argument('<connector>', 'a file, or the slug or id of one that is saved')
    .argument('<endpoint>')
    .option(
      '--input <name=value>',
      'one input: text where the endpoint declares text, else read as JSON where it is JSON',
      appendValue,
      [],
    )
    .option('--inputs <file>', 'JSON file with all inputs; - for standard input')
    .option('--allow-effects', 'call it although it may change something outside')
    .option('--profile <id>', 'as a profile of yours uses it; for one that is saved')
    .action(wrap(test));
  connectors
    .command('confirm')
    .description('say that a connector may send its secret to the places that it names now')
    .argument('<connector>', 'slug or id')
    .option('--origins <origins>', 'what you have looked at, comma-separated; without it the places are shown')
    .option('--secret <name>', 'another secret, which the binding of a profile gives the connector')
    .action(wrap(confirm));
  connectors
    .command('from-openapi')
    .description('make a connector file from an OpenAPI or Swagger document')
    .argument('<document>', 'a file, an address, or - for standard input')
    .option('--id <id>', 'slug of the connector')
    .option('--name <name>')
    .option('--base-url <address>', 'address of the API, when the document names none or another')
    .option('--include <what...>', 'only operations with these ids or tags, or below these paths')
    .option('--out <file>', 'write the text there')
    .action(wrap(fromOpenapi));
  connectors
    .command('from-sample')
    .description('make a connector file from an answer or a file')
    .argument('<file>', 'JSON, XML or CSV; - for standard input')
    .option('--url <address>', 'where the answer came from')
    .option('--id <id>', 'slug of the connector')
    .option('--name <name>')
    .option('--out <file>', 'write the text there')
    .action(wrap(fromSample));
};

async function validate(context: Context, file: string): Promise<ExitCode> {
  const report = await context.api().post<Omit<Draft, 'source'>>('/connectors/validate', { source: readSource(file) });
  context.output.result(report, (found) =>
    [`${file}: ${found.valid ? 'valid' : 'not valid'}`, ...found.problems.map(problemLine)].join('\n'),
  );
  return report.valid ? EXIT.ok : EXIT.invalid;
}

async function test(context: Context, connector: string, endpoint: string, options: TestOptions): Promise<ExitCode> {
  const { allowEffects, profile } = options;
  const api = context.api();
  const source = connector === '-' || existsSync(connector) ? readSource(connector) : undefined;
  const types =
    source === undefined ? await savedEndpointTypes(api, connector, endpoint) : endpointTypes(source, endpoint);
  const asked = {
    endpoint,
    inputs: readInputs(options, types),
    allow_effects: allowEffects === true,
    profile_id: profile,
  };
  const report =
    source === undefined
      ? await api.post<ConnectorTest>(`/connectors/${encodeURIComponent(connector)}/test`, asked)
      : await api.post<ConnectorTest>('/connectors/test', { ...asked, source });
  context.output.result(report, connectorTestText);
  return report.ok ? EXIT.ok : EXIT.failed;
}

/** Requires the places with a confirmation: without them it would agree to places that changed meanwhile. */
async function confirm(
  context: Context,
  connector: string,
  { origins, secret }: { origins?: string; secret?: string },
): Promise<ExitCode> {
  const api = context.api();
  const place = `/connectors/${encodeURIComponent(connector)}`;
  if (origins === undefined) return shownPlaces(context, connector, await api.get<ConnectorHealth>(`${place}/health`));
  const named = origins.split(',').flatMap((origin) => (origin.trim() === '' ? [] : [origin.trim()]));
  const places = await api.post<ConnectorHealth['secret_places']>(`${place}/confirm`, { origins: named, secret });
  context.output.result(places, ({ known }) => `${connector} may send its secret to ${known.join(', ')}.`);
  return EXIT.ok;
}

function shownPlaces(context: Context, connector: string, { secret_places: places }: ConnectorHealth): ExitCode {
  const { wanted, missing, secret } = places;
  if (missing.length > 0 && secret !== undefined)
    throw usageError(
      `${connector} would send the secret ${secret} to ${missing.join(', ')}, which nobody has confirmed. If that is right: af connectors confirm ${connector} --origins ${wanted.join(',')}`,
    );
  context.output.result(places, () =>
    secret === undefined
      ? `${connector} sends no secret; there is nothing to confirm.`
      : `${connector} may send the secret ${secret} to ${wanted.join(', ')}; there is nothing to confirm.`,
  );
  return EXIT.ok;
}

async function fromOpenapi(context: Context, document: string, options: DraftOptions): Promise<ExitCode> {
  const place = /^https?:\/\//i.test(document) ? { url: document } : { source: readSource(document) };
  const { id, name, baseUrl: base_url, include } = options;
  return written(
    context,
    await context.api().post('/connectors/from-openapi', { ...place, id, name, base_url, include }),
    options,
  );
}

async function fromSample(context: Context, file: string, options: DraftOptions): Promise<ExitCode> {
  const { id, name, url } = options;
  return written(
    context,
    await context.api().post('/connectors/from-sample', { sample: readSource(file), id, name, url }),
    options,
  );
}

/** The text alone on standard output, so that it can be redirected; remarks go beside it. */
function written(context: Context, draft: Draft, { out }: DraftOptions): ExitCode {
  if (out !== undefined) writeOut(out, Buffer.from(draft.source));
  if (out === undefined && !context.output.json) process.stdout.write(`${draft.source.trimEnd()}\n`);
  else context.output.result(draft, () => `Written to ${out}.`);
  if (!context.output.json) for (const problem of draft.problems) console.error(problemLine(problem));
  return draft.valid ? EXIT.ok : EXIT.invalid;
}
