import { expect } from '@jest/globals';
import { dataBytes } from '../../../support/data-readme';
import { each, type Check, type Checks } from '../row';
import { expectFault } from '../fault';
import { one, ownText, rows, sum } from '../results';
import { type World } from '../world';

const read = (world: World, path: string) =>
  world.directory(path, 'catalog irs-990-xml', ownText('catalog/connectors/irs-990-xml.yaml'), 'parse_filings');

const header: Check = async ({ path, said, world }) => {
  const record = one(await read(world, path));
  said.same(/EIN (\d+)/, record['ein']);
  said.same(/name ([^;]+)/, record['organization_name']);
  said.same(/tax period end ([\d-]+)/, record['tax_period_end']);
  said.same(/schema (\w+\.\d)/, record['schema_version']);
  said.same(/form (990\w*)/, record['form']);
  said.same(/total revenue (\d+)/, record['total_revenue']);
  said.same(/total expenses (\d+)/, record['total_expenses']);
  said.sameFlag(/amended-return flag set/, record['amended'] === true);
};

const charity: Check = async (row) => {
  await header(row);
  const result = await read(row.world, row.path);
  const grants = rows(result, 'grants');
  row.said.same(/(\d+) Part VII Section A people/, rows(result, 'officers').length);
  row.said.same(/(\d+) Schedule I recipients, cash grants sum (\d+)/, grants.length, sum(grants, 'cash_grant'));
};

const foundation: Check = async (row) => {
  await header(row);
  const result = await read(row.world, row.path);
  row.said.same(/(\d+) 990-PF grants paid/, rows(result, 'grants').length);
  row.said.same(/(\d+) officer\/director entries/, rows(result, 'officers').length);
};

const truncated: Check = async ({ path, said, world }) => {
  said.take(/strict XML parser must report an error \(premature end\)/);
  const text = dataBytes(path).toString();
  await expectFault(read(world, path), { code: 'malformed_xml', line: text.split('\n').length });
  said.same(/header is intact: EIN (\d+)/, /<Filer>\s*<EIN>(\d+)</.exec(text)?.[1]);
};

const bareAmpersands: Check = async ({ path, said, world }) => {
  const [line] = said.take(
    /strict XML parser must report an error \(xmlParseEntityRef: no name, line (\d+), column \d+ \(<string>, line \d+\)\)/,
  );
  await expectFault(read(world, path), { code: 'malformed_xml', line: Number(line) });
  const text = dataBytes(path).toString();
  const bare = /&(?!#?\w+;)/g;
  said.same(/(\d+) bare ampersands/, text.match(bare)?.length);
  const [whole = ''] = said.take(/after escaping them it equals (\S+\.xml)/);
  expect(text.replace(bare, '&amp;')).toBe(dataBytes(`irs990/${whole}`).toString());
};

export const irs990: Checks = {
  ...each(
    charity,
    '201132069349300318_public.xml',
    '201521819349301247_public.xml',
    '201612429349300846_public.xml',
    '201641949349301259_public.xml',
    '201831309349303578_public.xml',
  ),
  '201522139349100402_public.xml': foundation,
  'SYNTH-truncated-201521819349301247.xml': truncated,
  'as-found-malformed-201521819349301247.xml': bareAmpersands,
};
