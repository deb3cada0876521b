/** The descriptions of the sample data were written by Python: numbers, flags and lists look as it prints them. */
export function asWritten(value: unknown): string {
  if (typeof value === 'string') {
    return /^-?\d+\.\d+$/.test(value) ? String(Number(value)) : value;
  }
  if (value === null || value === undefined) {
    return 'None';
  }
  if (typeof value === 'boolean') {
    return value ? 'True' : 'False';
  }
  return typeof value === 'object' ? repr(value) : JSON.stringify(value);
}

/** `{'count': 0, 'of': ['a', None]}` */
export function repr(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(repr).join(', ')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).map(([name, each]) => `${repr(name)}: ${repr(each)}`);
    return `{${pairs.join(', ')}}`;
  }
  if (typeof value === 'string') {
    const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
    return `${quote}${value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t')}${quote}`;
  }
  return asWritten(value);
}

/** JSON with blanks behind commas and colons. */
export function spacedJson(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(spacedJson).join(', ')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${spacedJson(each)}`);
    return `{${pairs.join(', ')}}`;
  }
  return JSON.stringify(value);
}
