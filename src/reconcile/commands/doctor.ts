import { HoldfastError } from '../../lib/errors.ts'
import { escapeUnseen } from '../../lib/visible-text.ts'
import { DONE, type CommandResult } from '../../shell/exit-code.ts'
import { ok, problem, type Check, checked } from '../target/check.ts'
import { checkDataDirectory } from '../target/check-data-directory.ts'
import type { Context, Io } from '../../shell/io.ts'
import { dataDirectory, localServer, platformUrl, type PlatformOptions } from '../../client/platform-address.ts'
import { checkPlatform } from '../target/platform-health.ts'
import { signIn } from '../../client/sign-in.ts'
import { counted, nameSome } from '../../lib/counted.ts'
import { hasErrors, type Diagnostic } from '../../lib/diagnostic.ts'
import { diagnosticPosition } from '../../plan/render/render-diagnostics.ts'
import { findingsOf } from '../models/model-findings.ts'
import { loadModels } from '../models/models.ts'

export interface DoctorOptions extends PlatformOptions {
  readonly models: string
  readonly format: 'text' | 'json'
}

/** Checks everything that a command depends on, and says what to do about problems. It changes nothing. */
export async function doctor(options: DoctorOptions, context: Context): Promise<CommandResult> {
  const { io } = context
  const checks = [
    ok('node', process.versions.node),
    await checkModels(options.models, io),
    ...(await checkTarget(options, context)),
  ]
  const text = options.format === 'json' ? `${JSON.stringify({ checks }, null, 2)}\n` : checks.map(lineOf).join('')
  io.stdout.write(text)
  return checks.every((check) => check.ok) ? DONE : { kind: 'failed' }
}

async function checkTarget(options: DoctorOptions, { io, parts }: Context): Promise<Check[]> {
  try {
    const url = platformUrl(options, io.env)
    if (url !== null) return await checkPlatform(url, () => signIn(url, io), io)
    const directory = dataDirectory(options, io)
    const server = await parts.runningServer(directory)
    if (server !== null) {
      const [address, bearer] = localServer(server, io)
      return await checkPlatform(address, () => bearer, io)
    }
    const place = checkDataDirectory(directory)
    return [place, checkEmbedded(io.env, place)]
  } catch (error) {
    if (error instanceof HoldfastError) return [problem('platform', error.message)]
    throw error
  }
}

/**
 * Checks the embedded platform. It reports DATABASE_URL as a problem: commands never open the database of a server,
 * but a user who sets it most likely expects that.
 */
function checkEmbedded(env: Context['io']['env'], place: Check): Check {
  if (!env['DATABASE_URL'] && !place.ok) return problem('platform', 'embedded, which needs the data directory')
  if (!env['DATABASE_URL']) return ok('platform', 'embedded; no server runs on the data directory')
  return problem(
    'platform',
    'DATABASE_URL is for the server, and commands do not use it: they would work on the data directory; start the server, and name it by --url or HOLDFAST_URL',
  )
}

function lineOf({ name, ok: isOk, message }: Check): string {
  return `${isOk ? 'ok     ' : 'problem'}  ${name.padEnd(15)} ${escapeUnseen(message)}\n`
}

function checkModels(directory: string, io: Pick<Io, 'cwd' | 'env'>): Promise<Check> {
  return checked('models', () => {
    const models = loadModels(directory, io)
    const found = findingsOf(models)
    if (hasErrors(found))
      throw new HoldfastError('BAD_USER_INPUT', `${directory} is not valid; "validate" shows the errors`)
    const unresolved = found.filter(({ code }) => code === 'unresolved-reference')
    if (unresolved.length === 0) return `${directory} is valid`
    throw new HoldfastError('BAD_USER_INPUT', unresolvedText(directory, unresolved))
  })
}

const MOST_REFERENCES = 5

function unresolvedText(directory: string, unresolved: readonly Diagnostic[]): string {
  const names = unresolved.map((one) => {
    const [reference = one.message] = /\$\{[^{}]*\}/.exec(one.message) ?? []
    return `${reference} (${diagnosticPosition(one)})`
  })
  const found = `${counted(names.length, 'reference')} of it ${names.length === 1 ? 'is' : 'are'} not resolved here`
  return `${directory} is valid, but ${found}: ${nameSome(names, MOST_REFERENCES)}; set each variable, or write it into .env, or an apply that needs it fails`
}
