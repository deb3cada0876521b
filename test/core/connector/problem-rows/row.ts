/** A text with one fault, the code that it gets, and where; `more` stands in the message or the suggestion. */
export type Row = [what: string, text: string, code: string, marker: string, more?: string];
