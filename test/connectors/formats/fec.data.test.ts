import { expect, it } from '@jest/globals';
import { fecDocument } from '../../../connectors/formats/fec/fec-file';
import type { FecDocument } from '../../../connectors/formats/fec/fec-file';
import { decodeText } from '../../../connectors/formats/text/decode';
import { parseFile } from '../../../connectors/formats/parse-file';
import { describeWithData } from '../../support/data';
import { dataBytes, dataFiles } from '../../support/data-readme';
import { fileEndpoint } from './endpoint';

const read = (path: string): FecDocument => fecDocument(decodeText(dataBytes(path), 'auto', 'windows-1252'));
const filings = dataFiles('fec').filter(({ path }) => path.endsWith('.fec'));

describeWithData('fec', 'FEC filings', () => {
  it.each(filings.length === 0 ? [['', '']] : filings.map(({ path, finds }) => [path, finds]))('%s', (path, finds) => {
    const { header, filing, records, by_type: byType, text } = read(path);
    const [, version, software] = /header \['HDR', 'FEC', '(.*?)', '(.*?)'\]/.exec(finds)!;
    expect([header['version'], header['software_name']]).toEqual([version, software]);
    const [, type, committee, name] = /second record \['(.*?)', '(.*?)', '(.*?)'\]/.exec(finds)!;
    expect([filing['record_type'], filing['filer_committee_id']]).toEqual([type, committee]);
    expect(filing['committee_name'] ?? filing['entity_type']).toBe(name);
    const types = [...finds.split('record types')[1]!.matchAll(/'(\w+)': (\d+)/g)];
    const lines = Number(/(\d+) non-empty lines/.exec(finds)?.[1]);
    if (text !== null) {
      // A letter: what the README counts as records are its lines.
      expect(records).toEqual([]);
      expect(text.split('\n').filter((line) => line.trim() !== '')).toHaveLength(lines - 4);
      return;
    }
    expect(records).toHaveLength(lines - 2);
    for (const [, recordType, count] of types.filter((found) => found[1] !== 'HDR' && found[1] !== type)) {
      expect([recordType, byType[recordType!]?.length]).toEqual([recordType, Number(count)]);
    }
    expect(records.filter((record) => 'columns' in record || 'more' in record)).toEqual([]);
  });

  it('the columns mean what they say', () => {
    expect(read('fec/82094.fec').filing).toMatchObject({
      a_6a_contributions: '12558.35',
      a_16_receipts_total: '13211.32',
      a_27_cash_on_hand_close: '185818.68',
      b_22_disbursements_total: '145623.71',
      treasurer_name: 'David S. Limbaugh',
      signed_date: '2003-04-15',
    });
    expect(read('fec/82094.fec').by_type['SA11A1']?.[0]).toMatchObject({
      contributor_name: 'Franco^Alan',
      contributor_occupation: 'Vice President',
      contribution_date: '2003-03-31',
      contribution_amount: '2000.00',
    });
    expect(read('fec/771694.fec').filing).toMatchObject({
      a_19_receipts_total: '30657.64',
      a_31_disbursements_total: '144072.73',
      b_6a_year: '2012',
      b_38_net_operating_expenditures: '137795.15',
    });
    expect(read('fec/1229017.fec').filing).toMatchObject({
      a_27_cash_on_hand_close: '1141844.62',
      treasurer_last_name: 'Green',
    });
    expect(read('fec/723604.fec').filing).toMatchObject({
      a_7_receipts_total: '160065.91',
      a_23_operating_expenditures: '43419.40',
    });
    expect(read('fec/723604.fec').records[0]).toMatchObject({
      contributor_employer: 'NORTH AUGUSTA PEDIATRICS',
      contribution_purpose_code: '15',
    });
    expect(read('fec/764901.fec').by_type['F94']?.[0]).toMatchObject({
      candidate_id: 'P80003338',
      candidate_last_name: 'Obama',
      candidate_state: 'HI',
    });
  });

  it('the bulk file of independent expenditures', async () => {
    const number = { field: 'amount', paths: ['exp_amo'], type: 'number' as const };
    const texts = ['exp_date', 'cand_id'].map((field) => ({ field, paths: [field], type: 'string' as const }));
    const bytes = dataBytes('fec/bulk_independent_expenditure_dev.csv');
    const { records } = await parseFile(fileEndpoint({ parser: 'csv', fields: [number, ...texts] }), bytes);
    const amounts = records.map((record) => Number(record['amount']));
    expect(records).toHaveLength(13);
    expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBeCloseTo(180257.34, 2);
    expect(amounts.filter((amount) => amount < 0)).toHaveLength(1);
    expect(texts.map(({ field }) => records.filter((record) => record[field] === '').length)).toEqual([2, 2]);
    const all = await parseFile(fileEndpoint({ parser: 'csv' }), bytes);
    expect(Object.keys(all.records[0] ?? {})).toHaveLength(23);
  });
});
