import { isJsonObject, type Json } from '../base/json';
import { AppError } from '../errors/app-error';
import { evaluateExpr } from '../expr/condition';
import { signatureOf } from '../expr/functions';
import { literalFault } from '../expr/functions/literals';
import type { ValueType } from '../expr/functions/entry';
import { formatExpr } from '../expr/format-expr';
import { placeOf } from '../expr/places';
import type { Expr, Reference } from '../expr/types';
import { elementType, isList, isRecord, type Shape } from './shape';

/** Type of a value as far as it is known before a run. */
interface KnownType {
  type: ValueType;
  /** True for written or computed values; a declared type may still have no value, or a number that is kept as text. */
  isCertain: boolean;
}

export interface TypeFinding {
  offset: number;
  severity: 'error' | 'warning';
  message: string;
  suggestion?: string;
}

type TypeOfReference = (ref: Reference) => Shape | undefined;

const ANY: KnownType = { type: 'any', isCertain: false };
const NAMES: Readonly<Record<ValueType, string>> = {
  any: 'a value',
  text: 'a text',
  number: 'a number',
  boolean: 'true or false',
  list: 'a list',
  object: 'an object',
  date: 'a date',
};

/** Operands and arguments that cannot be used, and literals that a function does not know. */
export function checkTypes(expr: Expr, typeOfReference: TypeOfReference): TypeFinding[] {
  const findings: TypeFinding[] = [];
  new TypeChecker(typeOfReference, findings).typeOf(expr);
  return findings;
}

class TypeChecker {
  constructor(
    private readonly typeOfReference: TypeOfReference,
    private readonly findings: TypeFinding[],
  ) {}

  /** The expression's type; notes what is wrong in it. */
  typeOf(expr: Expr): KnownType {
    switch (expr.kind) {
      case 'literal':
        return { type: typeOfValue(expr.value), isCertain: expr.value !== null };
      case 'list':
        expr.items.forEach((item) => this.typeOf(item));
        return certain('list');
      case 'ref':
        return { type: typeOfShape(this.typeOfReference(expr.ref)), isCertain: false };
      case 'not':
      case 'defined':
        this.typeOf(expr.operand);
        return certain('boolean');
      case 'logic':
        this.typeOf(expr.left);
        this.typeOf(expr.right);
        return certain('boolean');
      case 'compare':
        this.comparison(expr);
        return certain('boolean');
      case 'arith':
        this.calculation(expr);
        return { type: 'number', isCertain: true };
      case 'negate':
        this.operand(expr, { side: expr.operand, known: this.typeOf(expr.operand), op: '-' });
        return { type: 'number', isCertain: true };
      case 'call':
        return this.call(expr);
      default:
        return ANY;
    }
  }

  private calculation(expr: Expr & { kind: 'arith' }): void {
    const sides = [expr.left, expr.right].map((side) => ({ side, known: this.typeOf(side) }));
    const hasText = expr.op === '+' && sides.some(({ known }) => isText(known));
    const joined = `Write concat(${formatExpr(expr.left)}, ${formatExpr(expr.right)}) to join texts.`;
    for (const { side, known } of sides) this.operand(expr, { side, known, op: expr.op }, hasText ? joined : undefined);
  }

  private operand(
    whole: Expr,
    { side, known, op }: { side: Expr; known: KnownType; op: string },
    suggestion?: string,
  ): void {
    if (known.type === 'any' || known.type === 'number') return;
    const convert = isText(known) ? `Write number(${formatExpr(side)}) for a text that holds a number.` : undefined;
    const message = `\`${op}\` works on numbers, but ${formatExpr(side)} is ${NAMES[known.type]}.`;
    this.note(whole, known, message, suggestion ?? convert);
  }

  private comparison(expr: Expr & { kind: 'compare' }): void {
    const [left, right] = [this.typeOf(expr.left), this.typeOf(expr.right)];
    if (expr.op === 'in' || expr.op === 'contains') {
      const holder = expr.op === 'in' ? { known: right, expr: expr.right } : { known: left, expr: expr.left };
      if (holder.known.type === 'number' || holder.known.type === 'boolean') {
        const message = `\`${expr.op}\` looks into a list, a text or an object, but ${formatExpr(holder.expr)} is ${NAMES[holder.known.type]}.`;
        this.note(expr, holder.known, message);
      }
      return;
    }
    const [a, b] = [base(left.type), base(right.type)];
    const isOrder = expr.op !== '==' && expr.op !== '!=';
    const unordered = [left, right].find(({ type }) => isOrder && ['boolean', 'list', 'object'].includes(type));
    if (unordered === undefined && (a === 'any' || b === 'any' || a === b)) return;
    const shown = `${formatExpr(expr.left)} is ${NAMES[left.type]}, ${formatExpr(expr.right)} is ${NAMES[right.type]}`;
    const always = expr.op === '!=' ? 'true' : 'false';
    this.findings.push({
      offset: placeOf(expr),
      severity: 'warning',
      message: `\`${expr.op}\` is ${always} here, whatever the values are: ${shown}.`,
      ...(a === 'text' || b === 'text' ? { suggestion: 'Convert one of them: number({a}) or text({a}).' } : {}),
    });
  }

  private call(expr: Expr & { kind: 'call' }): KnownType {
    const signature = signatureOf(expr.name);
    const types = expr.args.map((argument) => this.typeOf(argument));
    let hasFault = false;
    expr.args.forEach((argument, index) => {
      const parameter = signature?.parameters[index] ?? signature?.more;
      const known = types[index] ?? ANY;
      if (parameter === undefined) return;
      if (!fits(known.type, parameter.types)) {
        hasFault = true;
        const expected = parameter.types.map((type) => NAMES[type]).join(' or ');
        const message = `\`${parameter.name}\` of ${expr.name}() expects ${expected}, but ${formatExpr(argument)} is ${NAMES[known.type]}.`;
        this.note(expr, known, message, conversion(known, parameter.types, argument));
        return;
      }
      const fault = argument.kind === 'literal' ? literalFault(expr.name, parameter.name, argument.value) : undefined;
      if (fault === undefined) return;
      hasFault = true;
      this.note(expr, certain('text'), fault);
    });
    if (!hasFault) this.constant(expr);
    return resultOf(expr, types, signature?.gives ?? 'any');
  }

  /** A call of literals alone is carried out: what it would need more than there is, it needs in each run. */
  private constant(expr: Expr & { kind: 'call' }): void {
    if (!expr.args.every(({ kind }) => kind === 'literal')) return;
    try {
      evaluateExpr(expr, () => undefined);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.note(expr, certain('text'), error.message);
    }
  }

  private note(expr: Expr, known: KnownType, message: string, suggestion?: string): void {
    const severity = known.isCertain ? 'error' : 'warning';
    this.findings.push({
      offset: placeOf(expr),
      severity,
      message,
      ...(suggestion === undefined ? {} : { suggestion }),
    });
  }
}

function resultOf(expr: Expr & { kind: 'call' }, types: readonly KnownType[], gives: ValueType): KnownType {
  if (gives !== 'any') return { type: gives, isCertain: true };
  const chosen = expr.name === 'if' ? types.slice(1) : expr.name === 'coalesce' ? types : [];
  const [first] = chosen;
  return first !== undefined && chosen.every(({ type }) => type === first.type) ? first : ANY;
}

function conversion(known: KnownType, wanted: readonly ValueType[], argument: Expr): string | undefined {
  if (wanted.includes('number') && isText(known)) return `Write number(${formatExpr(argument)}).`;
  if (wanted.includes('text') && (known.type === 'number' || known.type === 'boolean'))
    return `Write text(${formatExpr(argument)}).`;
  return undefined;
}

function fits(type: ValueType, wanted: readonly ValueType[]): boolean {
  return type === 'any' || wanted.some((other) => other === 'any' || other === type || base(other) === base(type));
}

/** A date is a text. */
function base(type: ValueType): ValueType {
  return type === 'date' ? 'text' : type;
}

function isText(known: KnownType): boolean {
  return base(known.type) === 'text';
}

function certain(type: ValueType): KnownType {
  return { type, isCertain: true };
}

function typeOfValue(value: Json): ValueType {
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  if (Array.isArray(value)) return 'list';
  return isJsonObject(value) ? 'object' : 'any';
}

function typeOfShape(shape: Shape | undefined): ValueType {
  if (shape === undefined || shape.type === 'any') return 'any';
  if (isList(shape.type)) return elementType(shape.type) === '' ? 'any' : 'list';
  if (isRecord(shape.type)) return 'object';
  switch (shape.type) {
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'date':
      return 'date';
    default:
      return 'text';
  }
}
