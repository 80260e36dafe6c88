import { escapeUnseen } from '../../lib/visible-text.ts'
import { DONE, type CommandResult } from '../../shell/exit-code.ts'
import type { Context, Environment } from '../../shell/io.ts'
import { connect, withTarget } from '../target/open-target.ts'
import { type PlatformOptions } from '../../client/platform-address.ts'
import { CREATE_PASSWORD_LINK, type PasswordLinkAnswer } from '../target/graphql-queries.ts'
import { progressOn } from '../../shell/progress.ts'

export interface InviteOptions extends PlatformOptions {
  readonly format: 'text' | 'json'
}

/** Prints a link by which a person sets a first password, or a new one in place of a forgotten one. */
export async function invite(email: string, options: InviteOptions, context: Context): Promise<CommandResult> {
  const { stdout, stderr, env } = context.io
  const progress = progressOn(context.io)
  try {
    const { url, made } = await withTarget(connect(options, context, progress), async (platform) => {
      const { createPasswordLink } = await platform.request<PasswordLinkAnswer>(CREATE_PASSWORD_LINK, { email })
      return { url: platform.url, made: createPasswordLink }
    })
    progress.clear()
    const { path, expiresAt } = made
    const link = new URL(path.replace(/^\/+/, ''), url ?? addressOfServer(env)).href
    stdout.write(options.format === 'json' ? `${JSON.stringify({ link, expiresAt }, null, 2)}\n` : `${link}\n`)
    const server = url === null ? ' Start the server for it.' : ''
    stderr.write(
      `Give this link to ${email} and to nobody else; it works once, until ${escapeUnseen(expiresAt)}.${server}\n`,
    )
    return DONE
  } finally {
    progress.clear()
  }
}

/** The address that a server on this data directory will have. */
function addressOfServer(env: Environment): string {
  return env['HOLDFAST_BASE_URL'] || `http://localhost:${env['PORT'] || '3000'}/`
}
