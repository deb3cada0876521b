import { shorten } from '../base/shorten';
import type { Problem } from '../errors/problem';
import { readSource } from '../playbook/source';
import { readAbout } from './about-reader';
import type { ExpressionChecks } from './checks';
import { Fields } from './fields';
import { MAX_DESCRIPTION, MAX_ENDPOINTS } from './limits';
import { CONNECTOR_ID, NAME } from './patterns';
import { Report } from './report';
import type { ConnectorDefinition } from './types';
import { CONNECTOR_TYPES } from './types';
import { readHooks } from './hooks-reader';
import { TYPE_READERS } from './types/registry';

export interface ParsedConnector {
  /** Present when no problem is an error. */
  definition?: ConnectorDefinition;
  problems: Problem[];
}

/** Reads a connector from YAML or JSON and returns every problem at once. Never throws. */
export function parseConnector(text: string, checks: ExpressionChecks = {}): ParsedConnector {
  const { document, problems } = readSource(text);
  if (document === undefined) {
    return { problems: problems.sorted() };
  }
  const top = Fields.of(new Report(document, problems), [], document.toJson());
  if (top !== undefined && isPlaybook(top)) {
    top.report.add([], 'not_a_connector', 'This is the text of a playbook.', {
      suggestion: 'Save it with POST /playbooks, or `af save <file>`; check it with `af validate <file>`.',
    });
    return { problems: problems.sorted() };
  }
  const definition = top === undefined ? undefined : readDefinition(top, checks);
  const found = problems.sorted();
  return definition === undefined || problems.hasErrors ? { problems: found } : { definition, problems: found };
}

function isPlaybook({ value }: Fields): boolean {
  return Object.hasOwn(value, 'steps') && !Object.hasOwn(value, 'endpoints') && !Object.hasOwn(value, 'connection');
}

function readDefinition(top: Fields, checks: ExpressionChecks): ConnectorDefinition | undefined {
  const id = top.text('id', { required: true, ...CONNECTOR_ID });
  const name = top.text('name', { max: 200 });
  const type = top.choice('type', CONNECTOR_TYPES, { required: true });
  const version = readVersion(top);
  const description = top.text('description', { max: MAX_DESCRIPTION });
  const about = readAbout(top);
  const retired = top.text('retired');
  const imported = top.flag('imported');
  const hooks = readHooks(top);
  const connection = top.child('connection');
  const endpoints = readEndpoints(top);
  top.done();
  if (type === undefined) {
    return undefined;
  }
  const common = {
    schema: 1 as const,
    id: id ?? '',
    name: name ?? id ?? '',
    ...(version === undefined ? {} : { version }),
    ...(description === undefined ? {} : { description }),
    ...about,
    ...(hooks === undefined ? {} : { hooks }),
    ...(retired === undefined ? {} : { retired }),
    ...(imported === undefined ? {} : { imported }),
  };
  return TYPE_READERS[type]({ type, common, top, connection, endpoints, checks });
}

/** `version: 1.0` is a number to YAML; the text as written counts. */
function readVersion(top: Fields): string | undefined {
  if (typeof top.raw('version') === 'number') {
    return top.report.written(top.at('version'));
  }
  return top.text('version', { max: 50 });
}

function readEndpoints(top: Fields): { name: string; fields: Fields }[] {
  const child = top.child('endpoints');
  const names = Object.keys(child?.value ?? {});
  if (names.length === 0) {
    top.report.add(top.at('endpoints'), 'missing_field', 'A connector needs at least one endpoint.', {
      suggestion: 'Add `endpoints:`.',
    });
  }
  if (names.length > MAX_ENDPOINTS) {
    top.report.add(
      top.at('endpoints'),
      'invalid_value',
      `At most ${MAX_ENDPOINTS} endpoints are allowed, found ${names.length}.`,
    );
  }
  return names.slice(0, MAX_ENDPOINTS).flatMap((name) => {
    if (!NAME.pattern.test(name)) {
      const message = `\`${shorten(name, 80)}\` is no endpoint name: ${NAME.hint}.`;
      top.report.add([...top.at('endpoints'), name], 'invalid_value', message, { at: 'key' });
      return [];
    }
    const fields = child?.child(name);
    return fields === undefined ? [] : [{ name, fields }];
  });
}
