import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../core/base/json';
import { walkPath } from '../../../core/expr/reference';
import { renderValue } from '../../../core/expr/template';
import { parsePlaybook } from '../../../core/playbook/parse-playbook';
import { transformData } from '../../../core/transform/transform';
import { readConnector } from '../../../connectors/definition/read-connector';
import { DATA_DIR, describeWithData } from '../../support/data';
import { connectorDeps, testContext, callEndpoint } from '../../support/connector-deps';

interface Expected {
  flags: Record<string, JsonObject[]>;
  gap_years: Record<string, number | null>;
  replaced: JsonObject[];
  unreadable: string[];
}

const ROOT = resolve(__dirname, '../../..');
const read = (path: string): string => readFileSync(resolve(ROOT, path), 'utf8');
/** Computed from the XML by a script of its own (standard library of another language), not by the product. */
const EXPECTED = JSON.parse(read('test/fixtures/nonprofit-filing-review.expected.json')) as Record<string, Expected>;

/** The tool steps of the playbook in order: references rendered by the core, actions by their implementation. */
async function runSteps(playbook: string, directory: string): Promise<Record<string, JsonObject>> {
  const { plan, problems } = parsePlaybook(read(`catalog/playbooks/${playbook}.yaml`));
  expect(problems.filter((problem) => problem.severity === 'error')).toEqual([]);
  const { definition } = readConnector(read('catalog/connectors/irs-990-xml.yaml'));
  const scope: JsonObject = { directory };
  for (const step of plan!.steps) {
    if (step.kind !== 'tool' || step.action === 'route_output') {
      continue;
    }
    const rendered = (value: JsonObject): JsonObject =>
      renderValue(value, (ref) => walkPath(scope[ref.root], ref.path)) as JsonObject;
    const inputs = rendered(step.inputs);
    if (step.action === 'call_connector') {
      const deps = connectorDeps({ importRoots: [directory] });
      scope[step.key] = await callEndpoint(deps, {
        definition: definition!,
        endpoint: step.params['endpoint'] as string,
        inputs,
        context: testContext(),
      });
    } else {
      const { data, ...extra } = inputs;
      const result = transformData(data ?? null, rendered(step.params)['operations'] ?? null, extra);
      if (!result.ok) {
        throw new Error(`${step.name}: ${result.message}`);
      }
      scope[step.key] = result as unknown as JsonObject;
    }
  }
  return scope as Record<string, JsonObject>;
}

function found(scope: Record<string, JsonObject>): Expected {
  const rows = (step: string, field = 'data'): JsonObject[] => scope[step]?.[field] as JsonObject[];
  const flags: Record<string, JsonObject[]> = {};
  const gaps: Record<string, number | null> = {};
  for (const filing of rows('filings')) {
    const file = filing['file'] as string;
    gaps[file] = filing['gap_years'] as number | null;
    flags[file] = rows('flags').filter((flag) => flag['file'] === file);
  }
  return {
    flags,
    gap_years: gaps,
    replaced: rows('replaced').map((row) => ({ file: row['file'] as Json, replaced_by: row['replaced_by'] as Json })),
    unreadable: rows('read_filings', 'errors').map((error) => error['file'] as string),
  };
}

/** The golden file names only the columns that matter for a flag. */
function matching(expected: Expected): unknown {
  const flags = Object.fromEntries(
    Object.entries(expected.flags).map(([file, list]) => [file, list.map((flag) => expect.objectContaining(flag))]),
  );
  return { ...expected, flags };
}

describe.each(['nonprofit-filing-review-deterministic', 'nonprofit-filing-review'])('%s', (playbook) => {
  it('flags of the hand-made filings', async () => {
    expect(found(await runSteps(playbook, resolve(ROOT, 'test/fixtures/filings')))).toEqual(
      matching(EXPECTED['synth']!),
    );
  });
  it('flags of the filings that are shipped', async () => {
    expect(found(await runSteps(playbook, resolve(ROOT, 'catalog/examples/filings')))).toEqual(
      matching(EXPECTED['examples']!),
    );
  });
});

describeWithData('irs990', 'nonprofit filing review of every filing', () => {
  it('expected flags per file; what cannot be read spoils nothing', async () => {
    const scope = await runSteps('nonprofit-filing-review-deterministic', resolve(DATA_DIR, 'irs990'));
    expect(found(scope)).toEqual(matching(EXPECTED['irs990']!));
  });
});
