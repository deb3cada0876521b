import { expect } from '@jest/globals';
import type { JsonObject } from '../../../../core/base/json';
import { isJsonObject } from '../../../../core/base/json';
import { readDocument } from '../../../../core/connector/openapi/read-document';
import { dataBytes } from '../../../support/data-readme';
import { repr } from '../python-text';
import { expectFault } from '../fault';
import { imported } from '../imports';
import { each, type Check, type Checks } from '../row';

const description: Check = async ({ path, said, world }) => {
  const made = await imported(world, path);
  const json = documentOf(path);
  const parts = isJsonObject(json['components'] ?? null) ? (json['components'] as JsonObject) : {};
  const size = (...names: [JsonObject, string][]): string[] =>
    names.flatMap(([from, name]) => Object.keys((from[name] ?? {}) as object));
  said.same(
    /version ([\d.]+), title '(.*?)'/,
    json['openapi'] ?? json['swagger'],
    (json['info'] as JsonObject)['title'],
  );
  const paths = new Set(made.endpoints.map((endpoint) => endpoint.path));
  said.same(/(\d+) paths, (\d+) operations/, paths.size, made.operations);
  expect(made.endpoints).toHaveLength(made.operations);
  said.same(/(\d+) schemas/, size([parts, 'schemas'], [json, 'definitions']).length);
  said.same(/security schemes (\[.*?\])/, repr(size([parts, 'securitySchemes'], [json, 'securityDefinitions'])));
  expect(made.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
};

function documentOf(path: string): JsonObject {
  const read = readDocument(dataBytes(path).toString());
  return 'document' in read ? read.document.json : {};
}

const broken: Check = async ({ path, said, world }) => {
  const [line] = said.take(
    /strict YAML parser must report an error: while scanning a simple key in "<byte string>", line (\d+), column \d+ could not find expected ':' in "<byte string>", line \d+, column \d+/,
  );
  const fault = await expectFault(imported(world, path), { code: 'invalid_openapi' });
  const lines = (fault['problems'] as JsonObject[]).map((problem) => Number(problem['line']));
  expect(lines.some((each) => Math.abs(each - Number(line)) <= 1)).toBe(true);
};

export const openapi: Checks = {
  'as-found-broken_federal_register.yml': broken,
  ...each(
    description,
    'bundestag_lobbyregister.yaml',
    'link-example.yaml',
    'openfec_subset_dev.json',
    'uber_v2.json',
    'uspto.yaml',
  ),
};
