import type { FieldSpec } from '../actions/types';

/** Fields of a feed's item, whatever the kind of feed; a field that an item lacks is null. */
export const FEED_ITEM: FieldSpec[] = [
  { name: 'title', type: 'string' },
  { name: 'description', type: 'string', description: 'Text of the item, as the feed gives it' },
  { name: 'summary', type: 'string' },
  { name: 'pubDate', type: 'string', description: 'When it was published, in UTC' },
  { name: 'link', type: 'string', description: 'Absolute address' },
  { name: 'category', type: 'any', description: 'Category or list of categories' },
  { name: 'guid', type: 'string', description: 'What tells items of one feed apart' },
  { name: 'author', type: 'string' },
  { name: 'enclosure', type: 'any', description: 'Attached file: address, type, length' },
  { name: 'feed_name', type: 'string', description: 'Which of the feeds it comes from' },
];
