import { COLUMN, FOLLOWED_PAGES, MAX_SELECTOR } from '../limits';
import { ATTRIBUTE, NAME } from '../patterns';
import { VALUE_TYPES } from '../types';
import { choice, flag, list, object, oneOrMore, ref, type Schema, text, integer } from './parts';

/** Entries of the lists that one type has. */
export const TYPE_DEFS: Record<string, Schema> = {
  scraper_field: {
    ...object({
      description: 'One field of a page',
      properties: {
        field: text('Output field', NAME),
        selector: text('CSS selector below the record', { max: MAX_SELECTOR }),
        xpath: text('XPath below the record, instead of a selector', { max: MAX_SELECTOR }),
        attribute: text('Attribute to read; absent: the text', ATTRIBUTE),
        multiple: flag('All that are found, as a list; else the first', false),
        type: choice('Type', VALUE_TYPES, 'string'),
        description: text('For people and models'),
      },
      required: ['field'],
    }),
    oneOf: [{ required: ['selector'] }, { required: ['xpath'] }],
  },
  follow: object({
    description: 'Pages that a link leads to, one after the other',
    properties: {
      selector: text('CSS selector of the link', { max: MAX_SELECTOR }),
      max_pages: integer('Pages', FOLLOWED_PAGES),
    },
    required: ['selector'],
  }),
  file_field: object({
    description: 'One field of a file; of several paths the first that finds something wins',
    properties: {
      field: text('Output field', NAME),
      xpath: oneOrMore('XML: path, or alternatives', text('XPath')),
      paths: oneOrMore('Path, or alternatives', text('Path')),
      column: oneOrMore(
        'CSV, XLSX, FEC: name of the column, or alternatives; absent: the field itself',
        text('Column'),
      ),
      start: integer('Fixed width: first character, counted from 1', COLUMN),
      length: integer('Fixed width: how many characters', COLUMN),
      type: choice('Type; what does not have it becomes null with a warning', VALUE_TYPES, 'string'),
      join: {
        description: 'Joins all that is found: `true` with a blank, or with this text',
        anyOf: [{ type: 'boolean' }, { type: 'string', maxLength: 10 }],
      },
      description: text('For people and models'),
    },
    required: ['field'],
  }),
  file_group: object({
    description: 'A list inside a file',
    properties: {
      list_element: oneOrMore('Path of the records, or alternatives', text('Path')),
      fields: list('What is read of each record', ref('file_field')),
      carry: oneOrMore("Fields of the file's own record that each row repeats", text('Field')),
    },
    required: ['list_element'],
  }),
  feed: object({
    description: 'One feed',
    properties: {
      name: text('Callers choose it by this name', NAME),
      url: text('Address; it may have a query'),
      description: text('For people and models'),
    },
    required: ['name', 'url'],
  }),
};
