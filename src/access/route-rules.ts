import type { Type } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants';
import { ACCESS_RULE } from './rules';

/** Throws, so that the server does not start, when a route names no rule. */
export function requireRules(controllers: readonly Type[]): void {
  const open = controllers.flatMap((controller) =>
    handlersOf(controller)
      .filter(({ handler }) => Reflect.getMetadata(ACCESS_RULE, handler) === undefined)
      .map(({ name }) => `${controller.name}.${name}`),
  );
  if (open.length > 0) {
    throw new Error(
      `These routes do not say who may call them: ${open.join(', ')}. Give each a rule of src/access/rules.ts.`,
    );
  }
}

function handlersOf(controller: Type): { name: string; handler: object }[] {
  const prototype = controller.prototype as object;
  return Object.entries(Object.getOwnPropertyDescriptors(prototype)).flatMap(([name, { value }]) => {
    const handler: unknown = value;
    return typeof handler === 'function' && Reflect.hasMetadata(METHOD_METADATA, handler) ? [{ name, handler }] : [];
  });
}
