import { randomBytes } from 'node:crypto'
import type { AccessContext } from '../../platform/access/access-context.ts'
import {
  ensureBootstrap,
  OPERATOR,
  type Bootstrap,
  type WantedSecret,
} from '../../platform/access/accounts/bootstrap.ts'
import { credentialsFile, readCredentials, writeCredentials, type Credentials } from './credentials.ts'

export interface BootstrapOptions {
  readonly dataDir: string
  /** The values from the environment. They take precedence over the file, and are written into it. */
  readonly bootstrapSecret: string | null
  readonly bootstrapPassword: string | null
  /** Null if the database is in the data directory, so that no other server has its credentials. */
  readonly databaseUrl: string | null
}

/** The result for the operator after a start. */
export type Bootstrapped =
  | { readonly state: 'known' }
  /** These secrets were just created at random, and nobody has seen them yet. */
  | {
      readonly state: 'made'
      readonly path: string
      readonly made: readonly MadeSecret[]
      readonly credentials: Credentials
    }
  /** Another server of this database created them, and stored them in its own data directory. */
  | { readonly state: 'elsewhere'; readonly path: string; readonly hasFile: boolean }

export type MadeSecret = 'clientSecret' | 'password'

/** Makes sure that an account can sign in, and that the data directory has its credentials. */
export async function bootstrap(context: AccessContext, options: BootstrapOptions): Promise<Bootstrapped> {
  const path = credentialsFile(options.dataDir)
  let stored: Credentials | null = null
  let wanted = wantedSecrets(options, stored)
  const outcome = await ensureBootstrap(
    context,
    () => {
      stored = readCredentials(options.dataDir)
      wanted = wantedSecrets(options, stored)
      return wanted
    },
    (made) => writeDown(options.dataDir, stored, credentialsOf(made, wanted)),
  )
  const credentials = credentialsOf(outcome, wanted)
  if (credentials === null) return { state: 'elsewhere', path, hasFile: stored !== null }
  const made = (['clientSecret', 'password'] as const).filter((name) => wanted[name].isRandom)
  return made.length === 0 ? { state: 'known' } : { state: 'made', path, made, credentials }
}

type Wanted = { readonly [name in MadeSecret]: WantedSecret & { readonly isRandom: boolean } }

function wantedSecrets(
  { bootstrapSecret, bootstrapPassword, databaseUrl }: BootstrapOptions,
  stored: Credentials | null,
): Wanted {
  const ownsDatabase = databaseUrl === null
  const want = (given: string | null, known: string | undefined, bytes: number) => ({
    text: given ?? known ?? randomBytes(bytes).toString('base64url'),
    mayReplace: given !== null || ownsDatabase,
    isRandom: given === null && known === undefined,
  })
  return {
    clientSecret: want(bootstrapSecret, stored?.clientSecret, 32),
    password: want(bootstrapPassword, stored?.password, 24),
  }
}

/** Returns the credentials; null if some of them are not known. */
function credentialsOf(made: Bootstrap, wanted: Wanted): Credentials | null {
  if (!made.clientSecret || !made.password) return null
  return {
    clientId: made.clientId,
    clientSecret: wanted.clientSecret.text,
    username: OPERATOR,
    password: wanted.password.text,
  }
}

function writeDown(dataDir: string, stored: Credentials | null, next: Credentials | null): void {
  if (next !== null && JSON.stringify(next) !== JSON.stringify(stored)) writeCredentials(dataDir, next)
}

/**
 * Returns the message after a start; null if there is none. New secrets are shown only once, and only at a terminal,
 * because other output may be stored. Only the owner can read the file that contains them.
 */
export function bootstrapText(outcome: Bootstrapped, isTerminal: boolean): string | null {
  if (outcome.state === 'known') return null
  if (outcome.state === 'elsewhere') return elsewhereText(outcome)
  const { clientId, clientSecret, username, password } = outcome.credentials
  const shown = (secret: string) => (isTerminal ? `: ${secret}` : '')
  const lines = outcome.made.map((name) =>
    name === 'password' ? `  ${username}'s password${shown(password)}` : `  ${clientId}'s secret${shown(clientSecret)}`,
  )
  return `These were made for the first start and are kept in ${outcome.path}:\n${lines.join('\n')}`
}

function elsewhereText({ path, hasFile }: { readonly path: string; readonly hasFile: boolean }): string {
  const found = hasFile ? `${path} has the credentials of another database` : `${path} was not written`
  return (
    `${found}: another server made the credentials of its operator, and keeps them in credentials.json of its own data directory. ` +
    'Copy that file here, or set HOLDFAST_BOOTSTRAP_SECRET and HOLDFAST_BOOTSTRAP_PASSWORD for all servers to replace them'
  )
}
