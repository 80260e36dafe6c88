import type { Context } from 'hono'
import type { Right } from '../auth/scopes.ts'
import { acting } from '../platform/access/grants/actor.ts'
import { tokenHash } from '../platform/access/sessions/token-hash.ts'
import { narrowToken } from '../platform/access/sessions/narrow-token.ts'
import type { AppEnv } from '../server/app-env.ts'
import type { PageServices } from '../server/page-services.ts'
import { accessLog } from '../server/access-log.ts'
import { contextOf, domainContext } from '../server/request-context.ts'
import { zoneOf } from './zone.ts'
import { toldOnce } from './once.ts'
import type { Visit } from './page.ts'
import type { SignedIn } from './session/signed-in.ts'

/** The lifetime of a token for pasting into a terminal. It is short, because the shell history keeps the token. */
const PASTED_SECONDS = 600

/** The lifetime of a token for a script of a page, which requests the next one by itself. */
const SCRIPT_SECONDS = 120

/** The context of a page: the person, restricted to where the right of the page counts. */
export function visitOf(
  services: PageServices,
  request: Context<AppEnv>,
  { session, actor: caller }: SignedIn,
  right: Right,
): Visit {
  const platform = services.platform()
  const actor = acting(caller, right)
  const hash = tokenHash(session.token)
  const context = contextOf(domainContext(platform, request.get('domain'), actor, hash), actor)
  const origin = services.issuer(request)
  return {
    request,
    context,
    tokenHash: hash,
    actor,
    caller,
    platform,
    url: new URL(request.req.url),
    origin,
    csrf: session.csrf,
    zone: zoneOf(request),
    now: platform.now(),
    once: toldOnce(services.access(request), request, session.csrf, origin),
    noteAccessChange: accessLog(services.logger, {
      traceId: request.get('traceId'),
      domain: request.get('domain'),
      actor,
    }),
    issueToken: (scope) => narrowToken(context, session.token, { scope, seconds: PASTED_SECONDS }),
    issueOwnToken: () => narrowToken(context, session.token, { seconds: SCRIPT_SECONDS }),
    param: (name) => request.req.param(name) ?? '',
  }
}
