import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Needs } from '../access/rules';
import { KeyRotation } from '../../infra/crypto/rotation';
import { ApiProblems } from '../http/api-docs';
import { Idempotent } from '../http/idempotency/idempotent';
import { IdOrSlugPipe } from '../http/ids';
import { withoutNulls } from '../shared/views';
import { KeyRotationDto, MasterKeyListDto } from './dto/master-key.dto';

/** Keys of the installation, for its administrators. */
@ApiTags('keys')
@Controller('keys')
export class KeysController {
  constructor(private readonly rotation: KeyRotation) {}

  @Needs('global:admin')
  @Get()
  @ApiOperation({ summary: 'Master keys by id, and what is still encrypted under them' })
  @ApiOkResponse({ type: MasterKeyListDto })
  @ApiProblems()
  async list(): Promise<MasterKeyListDto> {
    const items = (await this.rotation.list()).map(({ retired_at, ...key }) => ({
      ...key,
      ...withoutNulls({ retired_at }),
    }));
    return { items };
  }

  @Needs('global:admin')
  @Post('rotate')
  @HttpCode(200)
  @Idempotent()
  @ApiOperation({
    summary: 'Encrypt every secret under the current master key',
    description: 'Reads a key that was added to the key file meanwhile. May be repeated.',
  })
  @ApiOkResponse({ type: KeyRotationDto })
  @ApiProblems(422)
  rotate(): Promise<KeyRotationDto> {
    return this.rotation.rotate();
  }

  @Needs('global:admin')
  @Post(':keyId/retire')
  @HttpCode(204)
  @Idempotent()
  @ApiOperation({
    summary: 'Say that a master key is no longer needed',
    description: 'Afterwards the key may be removed. Histories that were encrypted under it cannot be read without it.',
  })
  @ApiNoContentResponse({ description: 'Retired.' })
  @ApiProblems(404, 409)
  async retire(@Param('keyId', IdOrSlugPipe) keyId: string): Promise<void> {
    await this.rotation.retire(keyId);
  }
}
