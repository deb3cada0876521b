import { Body, Controller, Get, Headers, HttpCode, Param, Post, Res } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiExtraModels,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Identity } from '../access/identity';
import { Public, Authenticated } from '../access/rules';
import { AuditsItself } from '../audit/audit.interceptor';
import { Idempotent, OnceOnly } from '../http/idempotency/idempotent';
import type { Once } from '../http/idempotency/once';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller } from '../http/caller';
import { withoutNulls } from '../shared/views';
import { AccountsService } from './accounts.service';
import {
  ChangePasswordDto,
  LinkDto,
  LoginDto,
  MintedLinkDto,
  RefreshDto,
  RegisterDto,
  SignedInDto,
  UseLinkDto,
} from './dto/auth.dto';
import { answerWithPage, wantsPage } from '../pages/answer';
import { linkPage } from './link-page';
import { LinksService } from './links.service';
import { Origin, type RequestOrigin } from './request-origin';
import { endedCookie, sessionCookie } from './session-cookie';
import { SESSION_SECONDS, SignInService, type SignedIn } from './sign-in.service';

@ApiTags('auth')
@Controller('auth')
export class AuthController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly signIn: SignInService,
    private readonly links: LinksService,
  ) {}

  @Public()
  @Post('register')
  @ApiOperation({
    summary: 'Make an account and sign in',
    description: 'The installation decides who may do this: anybody on its machine, invited people, or nobody.',
  })
  @ApiCreatedResponse({ type: SignedInDto })
  @ApiProblems(404, 409, 429)
  async register(@Body() body: RegisterDto, @Origin() from: RequestOrigin): Promise<SignedInDto> {
    return (await this.signIn.open(await this.accounts.register(body, from), false, from)).body;
  }

  @Public()
  @Post('login')
  @HttpCode(200)
  @ApiOperation({ summary: 'Sign in with handle and password' })
  @ApiOkResponse({ type: SignedInDto })
  @ApiProblems(429)
  async login(
    @Body() body: LoginDto,
    @Origin() from: RequestOrigin,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SignedInDto> {
    return withCookie(await this.signIn.login(body.handle, body.password, body.cookie === true, from), from, reply);
  }

  @Public()
  @Post('refresh')
  @HttpCode(200)
  @ApiOperation({
    summary: 'The next pair of tokens',
    description: 'A refresh token works once. A second use, later than 10 s after the first, ends the session.',
  })
  @ApiOkResponse({ type: SignedInDto })
  @ApiProblems()
  refresh(@Body() body: RefreshDto): Promise<SignedInDto> {
    return this.signIn.refresh(body.refresh_token);
  }

  @Authenticated()
  @Post('logout')
  @HttpCode(204)
  @ApiOperation({ summary: 'End the session of this call' })
  @ApiNoContentResponse({ description: 'Ended.' })
  @ApiProblems()
  async logout(@CurrentCaller() who: Identity, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    await this.signIn.logout(who);
    void reply.header('set-cookie', endedCookie());
  }

  @Authenticated()
  @Post('password')
  @HttpCode(204)
  @AuditsItself()
  @ApiOperation({ summary: 'Change your password', description: 'Ends all of your other sessions.' })
  @ApiNoContentResponse({ description: 'Changed.' })
  @ApiProblems(429)
  async password(
    @CurrentCaller() who: Identity,
    @Body() body: ChangePasswordDto,
    @Origin() from: RequestOrigin,
  ): Promise<void> {
    await this.accounts.changePassword(who, body.current_password, body.password, from);
  }

  @Authenticated()
  @Post('sign-in-links')
  @Idempotent({ shownOnce: ['url'] })
  @ApiOperation({
    summary: 'A link that signs your browser in, once',
    description: 'Works for ten minutes, on the machine that the API runs on.',
  })
  @ApiCreatedResponse({ type: MintedLinkDto })
  @ApiProblems()
  signInLink(
    @CurrentCaller() who: Identity,
    @Origin() from: RequestOrigin,
    @OnceOnly() once: Once,
  ): Promise<MintedLinkDto> {
    return this.links.signInLink(who, from, once);
  }

  @Public()
  @Get('links/:token')
  @ApiOperation({
    summary: 'What a single-use link is for',
    description: 'Looking does not use it up. A browser gets a page that does.',
  })
  @ApiExtraModels(LinkDto)
  @ApiOkResponse({
    description: 'What the link is for; it is still unused.',
    content: {
      'application/json': { schema: { $ref: getSchemaPath(LinkDto) } },
      'text/html': { schema: { type: 'string' } },
    },
  })
  @ApiProblems(404)
  async link(
    @Param('token') token: string,
    @Origin() from: RequestOrigin,
    @Headers('accept') accept: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LinkDto | string> {
    const look = () => this.links.look(token, from);
    if (wantsPage(accept)) {
      return answerWithPage(reply, async () => {
        const { purpose, handle } = await look();
        return linkPage(purpose, handle);
      });
    }
    void reply.header('cache-control', 'no-store');
    const { purpose, handle, expires_at } = await look();
    return { purpose, expires_at, ...withoutNulls({ handle }) };
  }

  @Public()
  @Post('links/:token')
  @HttpCode(200)
  @ApiOperation({ summary: 'Use a single-use link, and sign in' })
  @ApiOkResponse({ type: SignedInDto })
  @ApiProblems(404, 409, 422, 429)
  async useLink(
    @Param('token') token: string,
    @Body() body: UseLinkDto,
    @Origin() from: RequestOrigin,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SignedInDto> {
    const proven = await this.links.use(token, body, from);
    return withCookie(await this.signIn.open(proven, body.cookie === true, from), from, reply);
  }
}

function withCookie({ body, cookie }: SignedIn, from: RequestOrigin, reply: FastifyReply): SignedInDto {
  void reply.header('cache-control', 'no-store');
  if (cookie !== undefined) void reply.header('set-cookie', sessionCookie(cookie, SESSION_SECONDS, from.secure));
  return body;
}
