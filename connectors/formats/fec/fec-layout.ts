/** Columns of one form or schedule in a range of versions. */
export interface Layout {
  form: RegExp;
  version: RegExp;
  columns: readonly string[];
}

export const FROM_6_1 = /^(6\.[1-4]|7\.0|8\.[0-5])$/;
export const FROM_6_4 = /^(6\.4|7\.0|8\.[0-5])$/;

/** Words of a text. */
export const names = (text: string): string[] => text.trim().split(/\s+/);
