import { expect } from '@jest/globals';
import type { Rows } from './row';

const UA = { 'User-Agent': 'ExampleResearch/1.0 (jane@example.org)' };
const labelled = (value: string): { type: string; value: string; 'xml:lang': string } => ({ type: 'literal', value, 'xml:lang': 'en' });

export const WIKIDATA: Rows = {
  sparql: [
    {
      inputs: { ...UA, query: 'SELECT ?item ?pseudonyme { } LIMIT 50' },
      count: 50,
      cells: 229,
      first: { itemLabel: labelled('Daniel Rojo'), itemDescription: labelled('Spanish writer and actor') },
    },
    { inputs: { ...UA, query: 'SELECT ?executive { }' }, count: 3, cells: 24, first: { adminAreaLabel: labelled('Canada') } },
    { inputs: { ...UA, query: 'SELECT ?position_name_pt { }' }, count: 2, cells: 26 },
    { inputs: { ...UA, query: 'SELECT ?legislature { }' }, count: 1, cells: 8, first: { bodyLabel: labelled('Canada') } },
    { inputs: { ...UA, query: 'SELECT ?entity ?entityLabel ?year { }' }, count: 3, cells: 9, first: { entityLabel: labelled('Ercole Patti') } },
  ],
  sparql_table: [
    {
      inputs: { ...UA, query: 'SELECT ?entity ?entityLabel ?year { }' },
      count: 3,
      first: { entity: 'http://www.wikidata.org/entity/Q3731207', entityLabel: 'Ercole Patti', year: '1903' },
    },
  ],
  entities: [
    {
      inputs: { ...UA, ids: 'Q103940464|Q19364345' },
      count: 1,
      first: {
        Q103940464: expect.objectContaining({ labels: { en: { language: 'en', value: 'continuant' } } }),
        Q19364345: expect.objectContaining({ labels: { en: { language: 'en', value: 'Katerina Tikhonova' } } }),
      } as never,
    },
  ],
  search: [
    {
      inputs: { ...UA, search: 'example' },
      count: 70,
      pages: 2,
      first: { id: 'Q900000', label: 'Example 0' },
      distinct: { id: 70 },
      asked:
        'GET www.wikidata.org/w/api.php?action=wbsearchentities&format=json&search=example&language=en&type=item&limit=50&continue=0',
    },
  ],
};
