const OTHER_NUMBER = /^[-+]?(?:\d+(?:_\d+)+(?:\.\d+)?|0b[01]+|0X[\da-fA-F]+|0O[0-7]+)$/;

/** A text of YAML 1.2 that YAML 1.1 and other programs read as a number. */
export function isOtherYamlNumber(text: string): boolean {
  return OTHER_NUMBER.test(text);
}
