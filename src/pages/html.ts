import { visibleText } from '../../core/report/visible-text';

/** Text that is already HTML; everything else is escaped where it is put in. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | undefined | readonly Html[];

/** markup`<p>${text}</p>`: what is put in is text, whatever it holds, and all of it can be seen. (A formatter rewrites what is tagged `html`, white space included.) */
export function markup(parts: TemplateStringsArray, ...values: Part[]): Html {
  return new Html(parts.reduce((text, part, at) => text + textOf(values[at - 1]) + part));
}

function textOf(value: Part): string {
  if (value === undefined) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map((each) => each.text).join('');
  return visibleText(String(value)).replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
