import type { JsonObject } from '../../../../core/base/json';
import { one, rows, sum } from '../results';
import type { Check, Row } from '../row';

interface Form {
  fields?: Record<string, string>;
  /** Field → path of what is counted. */
  counts?: Record<string, string>;
  root: string;
}

/** The one record of a form; a count is how many elements a path finds. */
async function form({ path, world }: Row, { fields = {}, counts = {}, root }: Form): Promise<JsonObject> {
  const counted = Object.entries(counts).map(([field, xpath]) => [field, `count(${xpath})`] as const);
  const wanted = [...Object.entries(fields), ...counted].map(([field, xpath]) => ({ field, xpath }));
  return one(await world.file(path, { parser: 'xml', root_element: root, fields: wanted }));
}

export const holdings: Check = async ({ path, said, world }) => {
  const fields: JsonObject[] = [
    { field: 'issuer', xpath: 'nameOfIssuer' },
    { field: 'value', xpath: 'value', type: 'number' },
  ];
  said.take(/as found it has a blank line before the XML declaration \(strict parsers object until it is stripped\)/);
  const records = rows(
    await world.file(path, { parser: 'xml', root_element: 'informationTable', list_element: 'infoTable', fields }),
  );
  said.same(/infoTable rows ([\d.]+)/, records.length);
  said.same(/sum of value ([\d.]+)/, sum(records, 'value'));
  said.same(/first issuer (.*)$/, records[0]?.['issuer']);
};

export const manager: Check = async (row) => {
  const summary = 'formData/summaryPage';
  const fields = {
    name: 'formData/coverPage/filingManager/name',
    entries: `${summary}/tableEntryTotal`,
    value: `${summary}/tableValueTotal`,
  };
  const found = await form(row, { root: 'edgarSubmission', fields });
  row.said.same(/filer (.*?); entries (\d+); value total (\d+)/, found['name'], found['entries'], found['value']);
};

export const ownership: Check = async (row) => {
  const found = await form(row, {
    root: 'ownershipDocument',
    fields: {
      issuer: 'issuer/issuerName',
      owner: 'reportingOwner/reportingOwnerId/rptOwnerName',
      type: 'documentType',
    },
    counts: {
      transactions: 'nonDerivativeTable/nonDerivativeTransaction',
      holdings: 'nonDerivativeTable/nonDerivativeHolding',
      derivatives: 'derivativeTable/derivativeTransaction',
    },
  });
  row.said.same(/issuer (.*?); owner (.*?); type (\d)/, found['issuer'], found['owner'], found['type']);
  row.said.same(
    /non-derivative transactions ([\d.]+); holdings ([\d.]+); derivative transactions ([\d.]+)/,
    found['transactions'],
    found['holdings'],
    found['derivatives'],
  );
};

export const offering: Check = async (row) => {
  const found = await form(row, {
    root: 'edgarSubmission',
    fields: { issuer: 'primaryIssuer/entityName', total: 'offeringData/offeringSalesAmounts/totalOfferingAmount' },
    counts: { persons: 'relatedPersonsList/relatedPersonInfo' },
  });
  row.said.same(
    /issuer (.*?); related persons ([\d.]+); total offering (\d+)/,
    found['issuer'],
    found['persons'],
    found['total'],
  );
};

export const stake: Check = async (row) => {
  const found = await form(row, {
    root: 'edgarSubmission',
    fields: { issuer: 'formData/coverPageHeader/issuerInfo/issuerName' },
    counts: { persons: 'formData/reportingPersons/reportingPersonInfo' },
  });
  row.said.same(/issuer (.*?); reporting persons ([\d.]+)/, found['issuer'], found['persons']);
};

export const company: Check = async (row) => {
  const at = 'body/companyfilings';
  const found = await form(row, {
    root: 'html',
    fields: { cik: `${at}/companyinfo/cik` },
    counts: { filings: `${at}/results/filing` },
  });
  row.said.same(/(\d+) <filing> elements; CIK (\d+)/, found['filings'], found['cik']);
};
