import { expect } from '@jest/globals';
import { repr } from '../python-text';
import { expectFault } from '../fault';
import { each, type Check, type Checks } from '../row';
import { asText, list, one, rows } from '../results';

const contents: Check = async ({ path, said, world }) => {
  said.same(/keys (\[.*?\])/, repr(Object.keys(one(await world.api(path)))));
  const agencies = rows(
    await world.api(path, { results_path: 'agencies', fields: { groups: 'document_categories[*].documents' } }),
  );
  said.same(/(\d+) agencies/, agencies.length);
  const groups = agencies.flatMap((agency) => list(agency['groups']).flatMap((documents) => list(documents)));
  said.same(/(\d+) document groups/, groups.length);
};

const notFound: Check = async ({ path, said, world }) => {
  const [status, message = ''] = said.take(/status (\d+), message (.*)$/);
  const fault = await expectFault(world.api(path, { status: Number(status) }), { code: 'upstream_not_found' });
  expect(fault).toMatchObject({ status: Number(status), excerpt: expect.stringContaining(message) });
};

const documents: Check = async ({ path, said, world }) => {
  const about = one(await world.api(path, { fields: { count: 'count', pages: 'total_pages' } }));
  const records = rows(
    await world.api(path, { results_path: 'results', fields: { number: 'document_number', title: 'title' } }),
  );
  said.same(/count (\d+), total_pages (\w+)/, about['count'], about['pages']);
  said.same(/(\d+) results/, records.length);
  const [number, title = ''] = said.take(/first (\S+) (.*)$/);
  expect(records[0]?.['number']).toBe(number);
  // The description has its beginning.
  expect(asText(records[0]?.['title']).slice(0, title.length)).toBe(title);
};

const issue: Check = async ({ path, said, world }) => {
  const kind = { field: 'kind', xpath: 'local-name()' };
  const agency = { field: 'agency', xpath: 'PREAMB/AGENCY' };
  const records = rows(
    await world.file(path, { parser: 'xml', root_element: 'FEDREG', list_element: '*', fields: [kind, agency] }),
  );
  const count = (name: string): number => records.filter((record) => record['kind'] === name).length;
  said.same(
    /(\d+) documents \((\d+) RULE, (\d+) PRORULE, (\d+) NOTICE\)/,
    records.length,
    count('RULE'),
    count('PRORULE'),
    count('NOTICE'),
  );
  said.same(/first agency (.*)$/, records[0]?.['agency']);
};

const regulations: Check = async ({ path, said, world }) => {
  const { total } = one(await world.api(path, { fields: { total: 'meta.totalElements' } }));
  const records = rows(await world.api(path, { results_path: 'data', fields: { id: 'id' } }));
  said.same(/(\d+) data entries/, records.length);
  said.same(/first id (\S+?);/, records[0]?.['id']);
  said.same(/meta totalElements (\d+)/, total);
};

export const federalRegister: Checks = {
  '2016-02-29-document-toc.json': contents,
  'document_not_found.json': notFound,
  ...each(documents, 'documents_bears_ears.json', 'documents_by_number_2017.json'),
  'fr_2016-04-15_dev.xml': issue,
  'regulations_gov_documents_dev.json': regulations,
};
