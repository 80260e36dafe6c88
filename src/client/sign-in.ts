import { HoldfastError } from '../lib/errors.ts'
import { actionsBearer } from './actions-token.ts'
import { fixedBearer, type Bearer } from './bearer.ts'
import { passwordBearer } from './password-bearer.ts'
import type { Credentials, Environment, Io } from '../shell/io.ts'
import type { CredentialNames } from './refused-token-request.ts'

const CREDENTIAL_VARIABLES = {
  clientId: 'HOLDFAST_CLIENT_ID',
  clientSecret: 'HOLDFAST_CLIENT_SECRET',
  username: 'HOLDFAST_USERNAME',
  password: 'HOLDFAST_PASSWORD',
} as const satisfies { [field in keyof Credentials]: string }

const ALL_VARIABLES = Object.values(CREDENTIAL_VARIABLES).join(', ')

const IN_THE_ENVIRONMENT: CredentialNames = {
  client: `${CREDENTIAL_VARIABLES.clientId} and ${CREDENTIAL_VARIABLES.clientSecret}`,
  user: `${CREDENTIAL_VARIABLES.username} and ${CREDENTIAL_VARIABLES.password}`,
}

/** Chooses how to sign in to a platform: by the first method that is configured. It sends nothing yet. */
export function signIn(url: string, io: Io): Bearer {
  const token = io.env['HOLDFAST_TOKEN']
  if (token) return tokenBearer(token.trim())
  const credentials = credentialsIn(io.env)
  if (credentials !== null) return passwordBearer(url, credentials, io, IN_THE_ENVIRONMENT)
  const idToken = io.env['HOLDFAST_ID_TOKEN']
  if (idToken) return idTokenBearer(url, idToken.trim())
  const { ACTIONS_ID_TOKEN_REQUEST_URL: requestUrl, ACTIONS_ID_TOKEN_REQUEST_TOKEN: requestToken } = io.env
  if (requestUrl && requestToken) return actionsBearer(url, { requestUrl, requestToken, issuer: issuerOf(io.env) }, io)
  throw new HoldfastError('UNAUTHENTICATED', `${url} needs a credential: ${howToGive(url, io.env)}`)
}

function howToGive(url: string, env: Environment): string {
  const password = `set HOLDFAST_TOKEN, or ${ALL_VARIABLES}`
  if (env['GITLAB_CI'] === 'true')
    return `give this job an ID token, id_tokens: { HOLDFAST_ID_TOKEN: { aud: '${url.replace(/\/$/, '')}' } }; or ${password}`
  if (isGiteaActions(env))
    return `give this workflow "enable-openid-connect: true", where the forge is a Forgejo that has it; or ${password}, from secrets`
  if (env['GITHUB_ACTIONS'] === 'true')
    return 'give this job the permission "id-token: write" (a pull request from a fork never gets it), or set HOLDFAST_TOKEN'
  return password
}

/** Tells whether this is a job of Gitea or Forgejo. These set the variables of GitHub, too. */
export function isGiteaActions(env: Environment): boolean {
  return env['GITEA_ACTIONS'] === 'true' || env['FORGEJO_ACTIONS'] === 'true'
}

function issuerOf(env: Environment): string {
  const server = (env['GITHUB_SERVER_URL'] ?? '').replace(/\/$/, '')
  if (isGiteaActions(env)) return `${server}/api/actions`
  const { host, origin } = new URL(URL.canParse(server) ? server : 'https://github.com')
  if (host === 'github.com') return 'https://token.actions.githubusercontent.com'
  return host.endsWith('.ghe.com') ? `https://token.actions.${host}` : `${origin}/_services/token`
}

/** Uses a token that the forge has put into the environment of the job, as GitLab does. It cannot be renewed. */
function idTokenBearer(url: string, token: string): Bearer {
  return fixedBearer(token, {
    refused: `the token in HOLDFAST_ID_TOKEN needs an ACTIVATED OpenID delegated authentication method with the clientId ${url.replace(/\/$/, '')} and its issuer; it may also have expired`,
    forbidden: 'the fitting rule of the authentication method limits this job',
  })
}

export function credentialsIn(env: Environment): Credentials | null {
  const missing = Object.values(CREDENTIAL_VARIABLES).filter((name) => !env[name])
  if (missing.length === Object.keys(CREDENTIAL_VARIABLES).length) return null
  if (missing.length > 0) {
    throw new HoldfastError('UNAUTHENTICATED', `to sign in with a password ${missing.join(' and ')} must be set too`)
  }
  const value = (name: string) => env[name] ?? ''
  return {
    clientId: value(CREDENTIAL_VARIABLES.clientId),
    clientSecret: value(CREDENTIAL_VARIABLES.clientSecret),
    username: value(CREDENTIAL_VARIABLES.username),
    password: value(CREDENTIAL_VARIABLES.password),
  }
}

function tokenBearer(token: string): Bearer {
  return fixedBearer(token, {
    refused:
      'HOLDFAST_TOKEN may have expired, because tokens live only for minutes; HOLDFAST_CLIENT_ID and the related variables get new ones',
    forbidden: 'get HOLDFAST_TOKEN with one of these scopes',
  })
}
