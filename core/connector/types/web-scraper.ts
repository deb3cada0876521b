import type { ExpressionChecks } from '../checks';
import type { Fields } from '../fields';
import { safeRecord } from '../fields';
import { FOLLOWED_PAGES, MAX_SELECTOR, TIMEOUT } from '../limits';
import { checkName, readEndpointCommon } from '../mapping';
import { checkDotPath, checkKnownField } from '../mapping-path';
import { ATTRIBUTE, URL_PATH } from '../patterns';
import type { ScraperEndpoint, ScraperField } from '../types';
import { VALUE_TYPES } from '../types';
import { readAddress, readHttpConnection } from './http-connection';
import { readCache } from './paging';
import { readPathParameters } from './rest-parameters';
import type { TypeReader } from './type-reader';

export const readWebScraper: TypeReader = ({ common, top, connection, endpoints, checks }) => {
  if (connection === undefined) {
    top.report.add(
      top.at('connection'),
      'missing_field',
      'A web_scraper connector needs `connection` with `base_url`.',
    );
    return undefined;
  }
  return {
    ...common,
    type: 'web_scraper',
    connection: readHttpConnection(connection),
    endpoints: safeRecord(endpoints.map(({ name, fields }) => [name, readEndpoint(fields, checks)])),
  };
};

function readEndpoint(fields: Fields, checks: ExpressionChecks): ScraperEndpoint {
  const baseUrl = readAddress(fields, { key: 'base_url', required: false });
  const path = fields.text('path', URL_PATH) ?? '';
  const parameters = readPathParameters(fields, path, {
    places: ['path', 'query', 'header'],
    fallback: 'query',
    canSendNull: () => false,
    listForm: (place) => (place === 'query' ? 'each' : 'whole'),
  });
  const list = readExpression(fields, 'list_selector', checks.selector);
  const own = readScraperFields(fields, checks);
  const follow = readFollow(fields, checks);
  const timeout = fields.integer('timeout_seconds', { min: TIMEOUT.min, max: TIMEOUT.max });
  const cache = readCache(fields, 'none');
  const known = own.map((field) => field.field);
  const common = readEndpointCommon(fields, {
    checkPath: checkKnownField(known, fields.report),
    checkResults: checkDotPath,
    checkHas: checks.selector ?? ((): undefined => undefined),
    known,
  });
  fields.done();
  return {
    ...common,
    ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
    path,
    parameters,
    ...(list === undefined ? {} : { list_selector: list }),
    fields: own,
    ...(follow === undefined ? {} : { follow }),
    ...(timeout === undefined ? {} : { timeout_seconds: timeout }),
    ...(cache === undefined ? {} : { cache }),
  };
}

type Check = ((expression: string) => string | undefined) | undefined;

function readExpression(fields: Fields, key: string, check: Check, required = false): string | undefined {
  const expression = fields.text(key, { max: MAX_SELECTOR, required });
  const fault = expression === undefined ? undefined : check?.(expression);
  if (fault !== undefined) {
    fields.report.add(fields.at(key), 'invalid_path', fault);
  }
  return expression;
}

function readScraperFields(fields: Fields, checks: ExpressionChecks): ScraperField[] {
  const read = fields.children('fields').map((item) => readField(item, checks));
  const seen = new Set<string>();
  read.forEach(({ field }, index) => {
    if (field !== '' && seen.has(field)) {
      const message = `The field \`${field}\` is declared twice.`;
      fields.report.add([...fields.at('fields'), index, 'field'], 'duplicate_name', message);
    }
    seen.add(field);
  });
  if (!fields.has('fields')) {
    fields.report.add(fields.path, 'missing_field', 'A page gives what its `fields` name.', {
      suggestion: 'Add `fields:` with `field` and `selector`.',
    });
  }
  return read;
}

function readField(item: Fields, checks: ExpressionChecks): ScraperField {
  const field = item.text('field', { required: true }) ?? '';
  if (field !== '') {
    checkName(item, item.at('field'), field);
  }
  const selector = readExpression(item, 'selector', checks.selector);
  const xpath = readExpression(item, 'xpath', checks.xpath);
  const attribute = item.text('attribute', ATTRIBUTE);
  const description = item.text('description');
  const read = {
    field,
    ...(selector === undefined ? {} : { selector }),
    ...(xpath === undefined ? {} : { xpath }),
    ...(attribute === undefined ? {} : { attribute }),
    multiple: item.flag('multiple') ?? false,
    type: item.choice('type', VALUE_TYPES) ?? 'string',
    ...(description === undefined ? {} : { description }),
  };
  item.done();
  checkSource(item);
  return read;
}

function checkSource(item: Fields): void {
  const both = item.has('selector') && item.has('xpath');
  if (both || (!item.has('selector') && !item.has('xpath'))) {
    const message = both
      ? 'A field has a `selector` or an `xpath`, not both.'
      : 'A field needs `selector`, or `xpath`.';
    item.report.add(item.path, both ? 'invalid_value' : 'missing_field', message);
  }
}

function readFollow(fields: Fields, checks: ExpressionChecks): ScraperEndpoint['follow'] {
  const follow = fields.child('follow');
  if (follow === undefined) {
    return undefined;
  }
  const read = {
    selector: readExpression(follow, 'selector', checks.selector, true) ?? '',
    max_pages: follow.integer('max_pages', FOLLOWED_PAGES),
  };
  follow.done();
  return read;
}
