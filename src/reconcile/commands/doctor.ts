import { HoldfastError } from '../../lib/errors.ts'
import { escapeUnseen } from '../../lib/visible-text.ts'
import { DONE, type CommandResult } from '../../shell/exit-code.ts'
import { ok, problem, type Check } from '../health/check.ts'
import { checkDataDirectory } from '../health/data-directory.ts'
import { checkModels } from '../health/health.ts'
import type { Context } from '../../shell/io.ts'
import { dataDirectory, localServer, platformUrl, type PlatformOptions } from '../../client/platform-address.ts'
import { checkPlatform } from '../health/platform-health.ts'
import { signIn } from '../../client/sign-in.ts'

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

/** Commands never open the database of a server: who sets DATABASE_URL most likely means that one. */
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
