import { invalid, textOption } from '../../core/actions/option-reader';
import { isJsonObject, ownField, type Json, type JsonObject } from '../../core/base/json';
import { jsonText } from '../../core/base/json-text';
import { AppError } from '../../core/errors/app-error';
import { readableLine, readableText } from '../../core/report/readable';
import type { Destination, InvalidDestination, OutputJob } from './output-types';
import type { ActionCall, ActionContext } from './types';

/** `route_output`: one value to the destinations of the step's params. `inputs`: of the run. */
export function jobOfStep(call: ActionCall, context: ActionContext, inputs: JsonObject): OutputJob {
  const given = ownField(call.inputs, 'data');
  const data = given ?? null;
  const title = readableLine(ownField(call.params, 'title'));
  const { facts } = call;
  const section = {
    title: '',
    value: data,
    ...(given === undefined && { absent: 'data' }),
    ...(facts && facts.lacks.length > 0 && { lacks: facts.lacks }),
  };
  const { status, decisions, missing } = facts ?? {};
  const known = { status, decisions, missing } as unknown as Json;
  return {
    report: {
      title,
      sections: [section],
      ...(facts && { meta: metaOf(known, { context, playbook: context.playbookId, inputs }), dataAlone: true }),
    },
    destinations: destinationsOf(ownField(call.params, 'destinations'), 'markdown'),
    names: namesFor(context, { title: title === '' ? context.stepName : title, playbook: context.playbookId, data }),
  };
}

/**
 * The playbook's `output`. `inputs`: `{title, sections: [{title, value?, source?, format?}], summary?, values?}`: a section
 * without a value has none at its source;
 * `params`: `{format, destinations, playbook?}`. `values` are texts for file names.
 */
export function jobOfPlaybook(call: ActionCall, context: ActionContext): OutputJob {
  const title = readableLine(ownField(call.inputs, 'title'));
  const playbook = textOption(call.params, 'playbook') ?? context.playbookId;
  const facts = ownField(call.params, 'facts') ?? null;
  const sections = listOf(ownField(call.inputs, 'sections'))
    .filter(isJsonObject)
    .map((section, at) => ({
      title: readableLine(ownField(section, 'title')),
      ...valueOf(section),
      format: textOption(section, 'format'),
      ...lacksOf(facts, at),
    }));
  const summary = withLacks(readableText(ownField(call.inputs, 'summary')), facts);
  return {
    report: {
      title,
      sections,
      meta: metaOf(facts, { context, playbook, inputs: ownField(call.inputs, 'values') ?? null }),
    },
    destinations: destinationsOf(
      ownField(call.params, 'destinations'),
      textOption(call.params, 'format') ?? 'markdown',
    ),
    names: namesFor(context, { title, playbook, data: ownField(call.inputs, 'values') ?? null }),
    ...(summary === '' ? {} : { summary }),
  };
}

function valueOf(section: JsonObject): { value: Json; absent?: string } {
  const value = ownField(section, 'value');
  if (value !== undefined) return { value };
  return { value: null, absent: textOption(section, 'source') ?? 'its value' };
}

/** Missing data of a summary, written below it: a summary is read by itself, in lists and messages. */
function withLacks(summary: string, facts: Json): string {
  const lacks = linesOf(isJsonObject(facts) ? ownField(facts, 'summary') : undefined);
  return summary === '' || lacks.length === 0 ? summary : `${summary}\n\nMissing: ${lacks.join('; ')}`;
}

/** The missing data that a section depends on, from the facts of the engine. */
function lacksOf(facts: Json, at: number): { lacks?: string[] } {
  const all = isJsonObject(facts) ? ownField(facts, 'sections') : undefined;
  const lacks = Array.isArray(all) ? linesOf(all[at]) : [];
  return lacks.length === 0 ? {} : { lacks };
}

function linesOf(value: Json | undefined): string[] {
  return listOf(value).filter((line): line is string => typeof line === 'string');
}

/** The run of the report, its status at writing time, the decisions, and the missing data. */
function metaOf(facts: Json, of: { context: ActionContext; playbook: string; inputs: Json }): JsonObject {
  const { context, playbook, inputs } = of;
  const told = isJsonObject(facts) ? facts : {};
  const known = (name: string): JsonObject => {
    const value = ownField(told, name) ?? null;
    return value === null || (Array.isArray(value) && value.length === 0) ? {} : { [name]: value };
  };
  return {
    playbook,
    runId: context.runId,
    ...known('status'),
    date: context.clock.today,
    started_at: context.clock.now,
    written_at: new Date().toISOString(),
    ...(isJsonObject(inputs) && Object.keys(inputs).length > 0 ? { inputs } : {}),
    ...known('decisions'),
    ...known('missing'),
  };
}

function destinationsOf(value: Json | undefined, format: string): (Destination | InvalidDestination)[] {
  return listOf(value).map((element) => {
    try {
      return destinationOf(element, format);
    } catch (fault) {
      if (!(fault instanceof AppError)) throw fault;
      const type = isJsonObject(element) ? readableLine(ownField(element, 'type')) : '';
      return { type: type === '' ? 'unknown' : type, fault };
    }
  });
}

function destinationOf(element: Json, format: string): Destination {
  if (!isJsonObject(element)) {
    throw invalid('destinations', 'a list of {type, format, config}');
  }
  const type = textOption(element, 'type');
  if (type === undefined) {
    throw invalid('destinations', 'a list in which every destination has a `type`');
  }
  const unread = ownField(element, 'fault') ?? null;
  if (isJsonObject(unread)) {
    throw new AppError(jsonText(unread['code'] ?? 'internal_error'), jsonText(unread['message'] ?? ''), {
      category: 'internal',
    });
  }
  const config = ownField(element, 'config') ?? {};
  if (!isJsonObject(config)) {
    throw invalid('config', 'a mapping');
  }
  const condition = ownField(element, 'condition') ?? null;
  const written = textOption(element, 'written');
  return {
    type,
    format: textOption(element, 'format') ?? format,
    config,
    ...(condition === null ? {} : { condition: typeof condition === 'boolean' ? condition : jsonText(condition) }),
    ...(written === undefined ? {} : { written }),
  };
}

function listOf(value: Json | undefined): Json[] {
  if (value === undefined || value === null) {
    return [];
  }
  return Array.isArray(value) ? value : [value];
}

/** Single values of the data may stand in a file name; the words that every run has win over them. */
function namesFor(context: ActionContext, known: { title: string; playbook: string; data: Json }): JsonObject {
  const own = isJsonObject(known.data)
    ? Object.entries(known.data).filter(([, value]) => typeof value !== 'object')
    : [];
  return {
    ...Object.fromEntries(own),
    date: context.clock.today,
    today: context.clock.today,
    run_id: context.runId,
    execution_id: context.runId,
    playbook: known.playbook,
    title: known.title,
    step: context.stepName,
  };
}
