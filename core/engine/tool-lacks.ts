import type { ErrorCategory } from '../errors/app-error';
import { gapsOf, type Gap } from './gaps';
import type { UnitOutcome } from './inbox';
import type { Machine } from './machine';
import type { ResearchState, ToolCall, ToolLack } from './state';

/**
 * Replay-sensitive. Gaps of the tools of a research. A model tries: a gap is forgotten once the same
 * tool filled it in a later round, and a mistake of the model itself is reported without making the run partial.
 */
const MAX_LACKS = 100;
const MAX_MESSAGE = 300;
/** Gaps that a further call of the same tool fills: the next page, a fresh answer. */
const FILLED = ['truncated', 'maybe_more', 'stopped_early', 'stale', 'parts_left_out'];

/** Wrong arguments, and values that do not exist, say nothing about data that exist. */
const ABOUT_THE_CALL: readonly ErrorCategory[] = ['validation', 'not_found'];

type Found = Pick<ToolLack, 'code' | 'message' | 'certain' | 'passing'>;

/** The answer of a tool that was called. */
export function noteAnswer(research: ResearchState, call: ToolCall, outcome: UnitOutcome): void {
  if (outcome.status !== 'ok') {
    const { code = 'failed', message = '', category } = outcome.error ?? {};
    return note(research, call.tool, [failed(code, message, !category || !ABOUT_THE_CALL.includes(category))]);
  }
  const found = gapsOf(actionOf(call.tool), outcome.output ?? { value: null }, call.inputs).map(
    ({ code, message, certain }): Found => ({ code, message, certain, passing: FILLED.includes(code) }),
  );
  if (outcome.output?.handles)
    found.push({
      code: 'parts_left_out',
      message: 'large parts of the answer were left out for the model',
      certain: false,
      passing: true,
    });
  forget(
    research,
    call.tool,
    found.map(({ code }) => code),
  );
  note(research, call.tool, found);
}

/** A call that did not leave. */
export function noteRefusal(research: ResearchState, tool: string, error: { code: string; message: string }): void {
  note(research, tool, [failed(error.code, error.message, false)]);
}

/** `connector.endpoint` calls that endpoint; any other name is an action. */
export function actionOf(tool: string): string {
  return tool.indexOf('.') > 0 ? 'call_connector' : tool;
}

function failed(code: string, message: string, certain: boolean): Found {
  return {
    code: 'tool_failed',
    message: `failed: ${code}${message === '' ? '' : ` (${message})`}`,
    certain,
    passing: true,
  };
}

function note(research: ResearchState, tool: string, found: readonly Found[]): void {
  const { round } = research;
  const known = research.lacks ?? [];
  const added = found
    .map((each): ToolLack => ({ tool, round, ...each, message: each.message.slice(0, MAX_MESSAGE) }))
    .filter((each) => !known.some((lack) => isSame(lack, each)));
  if (added.length > 0) research.lacks = [...known, ...added].slice(0, MAX_LACKS);
}

function isSame(a: ToolLack, b: ToolLack): boolean {
  return a.tool === b.tool && a.code === b.code && a.message === b.message;
}

/** All calls of one round are made at once, so that none of them fills a gap of another. */
function forget(research: ResearchState, tool: string, codes: readonly string[]): void {
  const { lacks, round } = research;
  if (lacks === undefined) return;
  research.lacks = lacks.filter(
    (lack) => lack.tool !== tool || lack.round === round || !lack.passing || codes.includes(lack.code),
  );
}

const MAX_SHOWN = 3;

/** One gap for each code. By the older rule a research had no gaps, whatever its tools reported. */
export function toolGaps(m: Machine, { lacks = [] }: ResearchState): Gap[] {
  if (lacks.length === 0 || !m.newer('tool-gaps')) return [];
  // Certain gaps come first.
  const sorted = lacks.toSorted((a, b) => Number(b.certain) - Number(a.certain));
  return [...new Set(sorted.map(({ code }) => code))].map((code) => {
    const all = sorted.filter((lack) => lack.code === code);
    const shown = all.slice(0, MAX_SHOWN);
    const more = all.length === shown.length ? '' : `; and ${all.length - shown.length} more`;
    const message = `${shown.map((lack) => `${lack.tool}: ${lack.message}`).join('; ')}${more}`;
    return { code: code as Gap['code'], message, certain: all.some(({ certain }) => certain) };
  });
}
