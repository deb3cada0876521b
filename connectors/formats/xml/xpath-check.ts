import type * as Fontoxpath from 'fontoxpath';
import type * as Slimdom from 'slimdom';
import type { Element, Node } from 'slimdom';

/** Loaded with the first path that is checked. */
const fontoxpath = (): typeof Fontoxpath => require('fontoxpath') as typeof Fontoxpath;
const slimdom = (): typeof Slimdom => require('slimdom') as typeof Slimdom;

const MAX_LENGTH = 500;
const MAX_WIDE_STEPS = 3;
const MAX_PREDICATE_DEPTH = 3;

/** Node names of the syntax tree (XQueryX) that a path may contain: no loops, ranges, variables or functions as values. */
const ALLOWED = new Set(
  (
    'module mainModule queryBody pathExpr rootExpr stepExpr xpathAxis nameTest predicates anyKindTest textTest Wildcard star ' +
    'NCName firstOperand secondOperand operand unionOp andOp orOp equalOp notEqualOp lessThanOp lessThanOrEqualOp greaterThanOp ' +
    'greaterThanOrEqualOp eqOp neOp ltOp leOp gtOp geOp addOp subtractOp multiplyOp divOp modOp unaryMinusOp stringConstantExpr ' +
    'integerConstantExpr decimalConstantExpr value contextItemExpr functionCallExpr functionName arguments sequenceExpr filterExpr'
  ).split(' '),
);
const FUNCTIONS = new Set(
  (
    'boolean ceiling concat contains count empty ends-with exists false floor last local-name lower-case name normalize-space not ' +
    'number position round starts-with string string-join string-length substring substring-after substring-before sum translate true upper-case'
  ).split(' '),
);
const NARROW = new Set(['child', 'attribute', 'self', 'parent']);
const WIDE = new Set([
  'descendant',
  'descendant-or-self',
  'ancestor',
  'ancestor-or-self',
  'following-sibling',
  'preceding-sibling',
]);

/**
 * Fault of an XPath of a connector; undefined = none. Paths, predicates, comparisons and a list of functions are
 * allowed; expressions that could run long on a large file (loops, ranges, searches of the whole file inside a
 * predicate) are not.
 */
export function xpathFault(expression: string): string | undefined {
  if (expression.length > MAX_LENGTH) {
    return `An XPath may have at most ${MAX_LENGTH} characters.`;
  }
  let tree: Element;
  try {
    const options = {
      language: fontoxpath().evaluateXPath.XPATH_3_1_LANGUAGE,
      namespaceResolver: (prefix: string) => `urn:prefix:${prefix}`,
    };
    tree = fontoxpath().parseScript(expression, options, new (slimdom().Document)()) as unknown as Element;
  } catch {
    return `\`${expression}\` is no XPath.`;
  }
  const counter = { wide: 0 };
  return walk(tree, { predicateDepth: 0, counter });
}

interface Context {
  predicateDepth: number;
  counter: { wide: number };
}

function walk(element: Element, context: Context): string | undefined {
  const fault = nodeFault(element, context);
  if (fault !== undefined) {
    return fault;
  }
  const inside =
    element.localName === 'predicates' ? { ...context, predicateDepth: context.predicateDepth + 1 } : context;
  if (inside.predicateDepth > MAX_PREDICATE_DEPTH) {
    return `Predicates may be nested at most ${MAX_PREDICATE_DEPTH} deep.`;
  }
  for (const child of element.childNodes) {
    const found = isElement(child) ? walk(child, inside) : undefined;
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

function nodeFault(element: Element, context: Context): string | undefined {
  const text = element.textContent ?? '';
  switch (element.localName) {
    case 'functionName':
      return FUNCTIONS.has(text) ? undefined : `The function \`${text}\` cannot be used in a connector.`;
    case 'xpathAxis':
      return axisFault(text, context);
    case 'rootExpr':
      return context.predicateDepth > 0 ? 'A predicate may not start at the root of the file.' : undefined;
    default:
      return ALLOWED.has(element.localName)
        ? undefined
        : `A connector's XPath cannot contain \`${element.localName}\`; use paths, predicates and comparisons.`;
  }
}

function axisFault(axis: string, context: Context): string | undefined {
  if (NARROW.has(axis)) {
    return undefined;
  }
  if (!WIDE.has(axis)) {
    return `The axis \`${axis}\` cannot be used in a connector.`;
  }
  context.counter.wide += 1;
  return context.counter.wide > MAX_WIDE_STEPS
    ? `At most ${MAX_WIDE_STEPS} searching steps (\`//\`) are allowed in one XPath.`
    : undefined;
}

function isElement(node: Node): node is Element {
  return node.nodeType === 1;
}
