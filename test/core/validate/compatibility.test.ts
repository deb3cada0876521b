import { describe, expect, it } from '@jest/globals';
import { compatibilityOf } from '../../../core/validate/compatibility';

describe('what fits into a slot', () => {
  it.each([
    ['string', 'string', 'exact'],
    ['number', 'number', 'exact'],
    ['integer', 'number', 'coerced'],
    ['string', 'string[]', 'coerced'],
    ['entity_name', 'string', 'exact'],
    ['date', 'string', 'exact'],
    ['string', 'date', 'loose'],
    ['number', 'integer', 'loose'],
    ['number', 'string', 'loose'],
    ['boolean', 'string', 'loose'],
    ['string', 'number', 'none'],
    ['string', 'boolean', 'none'],
    ['number', 'number[]', 'none'],
    ['string[]', 'string', 'none'],
    ['any', 'record[]', 'exact'],
    ['record[]', 'any', 'exact'],
    ['list', 'record[]', 'exact'],
    ['array', 'string[]', 'exact'],
    ['any[]', 'string', 'none'],
    ['entity[]', 'record[]', 'exact'],
    ['record[]', 'entity[]', 'loose'],
    ['document', 'object', 'exact'],
    ['object', 'string', 'none'],
    ['string[]', 'record[]', 'none'],
    ['integer[]', 'number[]', 'exact'],
    ['number[]', 'string[]', 'loose'],
    ['record', 'record[]', 'none'],
  ])('%s into %s: %s', (from, to, fit) => expect(compatibilityOf(from, to)).toBe(fit));
});
