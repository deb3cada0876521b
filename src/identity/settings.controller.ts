import { Controller, Get, HttpCode, Inject, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { ACCESS_SECONDS } from '../../infra/identity/access-tokens';
import { SigningKeys } from '../../infra/identity/signing-keys';
import { Needs } from '../access/rules';
import type { ApiSettings } from '../app/settings';
import { SETTINGS } from '../app/tokens';
import { Idempotent } from '../http/idempotency/idempotent';
import { ApiProblems } from '../http/api-docs';
import { SESSION_SECONDS } from './sign-in.service';

export class SettingsDto {
  @ApiProperty({ enum: ['open', 'invite', 'closed'] })
  registration!: 'open' | 'invite' | 'closed';

  @ApiProperty({ description: 'Whether a signal from Temporal may decide approvals.' })
  signal_approvals!: boolean;

  @ApiProperty({ type: 'integer' })
  access_token_seconds!: number;

  @ApiProperty({ type: 'integer' })
  session_seconds!: number;

  @ApiProperty()
  time_zone!: string;
}

export class SigningKeyDto {
  @ApiProperty({ description: 'Id of the key that signs access tokens from now on.' })
  kid!: string;
}

@ApiTags('settings')
@Controller('settings')
export class SettingsController {
  constructor(
    @Inject(SETTINGS) private readonly settings: ApiSettings,
    private readonly signing: SigningKeys,
  ) {}

  @Needs('global:admin')
  @Get()
  @ApiOperation({ summary: 'How this installation is set', description: 'Changed in its environment.' })
  @ApiOkResponse({ type: SettingsDto })
  @ApiProblems()
  get(): SettingsDto {
    const { registration, signalApprovals, timeZone } = this.settings;
    return {
      registration,
      signal_approvals: signalApprovals,
      access_token_seconds: ACCESS_SECONDS,
      session_seconds: SESSION_SECONDS,
      time_zone: timeZone,
    };
  }

  @Needs('global:admin')
  @Post('signing-key/rotate')
  @Idempotent()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Sign access tokens with a new key',
    description: 'Issued tokens stay valid until they expire. Happens by itself every 30 days.',
  })
  @ApiOkResponse({ type: SigningKeyDto })
  @ApiProblems()
  async rotate(): Promise<SigningKeyDto> {
    return { kid: await this.signing.rotate() };
  }
}
