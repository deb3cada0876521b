import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Post } from '@nestjs/common';
import { requireRules } from '../../../src/access/route-rules';
import { ACCESS_RULE, Public, Authenticated } from '../../../src/access/rules';
import { openApiText } from '../../../src/app/openapi-text';
import { HealthController } from '../../../src/health/health.controller';

@Controller('told')
class ToldController {
  @Public()
  @Get()
  list(): void {}

  @Post()
  @Authenticated()
  make(): void {}

  /** No routes: nobody can call them. */
  helper(): void {}
  get path(): string {
    return 'told';
  }
}

@Controller('forgotten')
class ForgottenController {
  @Authenticated()
  @Get()
  list(): void {}

  @Get(':id')
  one(): void {}

  @Post()
  make(): void {}
}

describe('a route without a rule', () => {
  it('is named, with all others, and nothing else is', () => {
    expect(() => requireRules([ToldController])).not.toThrow();
    expect(() => requireRules([ToldController, ForgottenController])).toThrow(
      'These routes do not say who may call them: ForgottenController.one, ForgottenController.make. ' +
        'Give each a rule of src/access/rules.ts.',
    );
  });

  describe('of the product', () => {
    const { live } = HealthController.prototype;
    const rule: unknown = Reflect.getMetadata(ACCESS_RULE, live);
    afterEach(() => Reflect.defineMetadata(ACCESS_RULE, rule, live));

    it('keeps the application from being made', async () => {
      const text = await openApiText();
      expect(text).toContain('/health/live');
      for (const who of ['public', 'signed', 'decides', 'needs global:admin'])
        expect(text).toContain(`"x-access": "${who}"`);
      Reflect.deleteMetadata(ACCESS_RULE, live);
      await expect(openApiText()).rejects.toThrow('who may call them: HealthController.live.');
    });
  });
});
