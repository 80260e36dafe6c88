import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { HoldfastError } from '../../lib/errors.ts'
import { isJsonObject, parseJson, type Json, type JsonObject } from '../../lib/json.ts'
import { escapeUnseen, plainText } from '../../lib/visible-text.ts'
import { DONE, type CommandResult } from '../../shell/exit-code.ts'
import type { Context } from '../../shell/io.ts'
import { progressOn } from '../../shell/progress.ts'
import type { PlatformOptions } from '../../client/platform-address.ts'
import { withFile } from '../file-error.ts'
import { ACCESS_EXPLANATION, type AccessExplanationAnswer } from '../target/graphql-queries.ts'
import { connect, withTarget } from '../target/open-target.ts'

export interface AccessWhyOptions extends PlatformOptions {
  readonly claims?: string
  readonly format: 'text' | 'json'
}

/** Says why somebody may do something or not: it names the account, method, rule, scope and grant that decide. */
export async function accessWhy(user: string, options: AccessWhyOptions, context: Context): Promise<CommandResult> {
  const { stdout, cwd } = context.io
  const claims = options.claims === undefined ? null : await readClaims(options.claims, cwd)
  const progress = progressOn(context.io)
  try {
    const { accessExplanation } = await withTarget(connect(options, context, progress), (platform) =>
      platform.request<AccessExplanationAnswer>(ACCESS_EXPLANATION, { user, claims }),
    )
    progress.clear()
    stdout.write(
      options.format === 'json' ? `${JSON.stringify(accessExplanation, null, 2)}\n` : textOf(user, accessExplanation),
    )
    return DONE
  } finally {
    progress.clear()
  }
}

/**
 * Reads the claims, and never sends the token itself: its payload is enough, and nobody can sign in with the payload.
 */
async function readClaims(file: string, cwd: string): Promise<JsonObject> {
  const text = (await withFile('read --claims', file, () => readFile(resolve(cwd, file), 'utf8'))).trim()
  const [, payload] = /^[\w-]+\.([\w-]+)\.[\w-]*$/.exec(text) ?? []
  const claims = parsed(payload === undefined ? text : Buffer.from(payload, 'base64url').toString('utf8'))
  if (claims !== null && isJsonObject(claims)) return claims
  throw new HoldfastError(
    'BAD_USER_INPUT',
    `--claims ${file}: give the claims of a token as a JSON object, or the token itself`,
  )
}

function parsed(text: string): Json {
  try {
    return parseJson(text)
  } catch {
    return null
  }
}

function textOf(user: string, { steps, rights, rightsWithin }: AccessExplanationAnswer['accessExplanation']): string {
  const lines = steps.map(
    ({ about, passes, text }) => `  ${passes ? '+' : '-'} ${escapeUnseen(about).padEnd(8)}  ${plainText(text)}`,
  )
  const within = rightsWithin.map(({ right, units }) => `${right} within ${units.map(plainText).join(', ')}`)
  const may = [...rights, ...within]
  return `${plainText(user)}\n${lines.join('\n')}\n\nMay: ${may.length === 0 ? 'nothing' : escapeUnseen(may.join(', '))}\n`
}
