import { hash, timingSafeEqual } from 'node:crypto'
import { rightsOf, SCOPES } from '../auth/scopes.ts'
import type { Actor } from '../platform/access/grants/actor.ts'
import { identifyBearer } from '../platform/access/sessions/identify-bearer.ts'
import type { Domain } from '../store/domains.ts'
import { accessContext, type AccessParts } from './request-context.ts'

/** Finds the actor of a bearer token in a domain; null if the token is not valid. */
export type Authenticate = (token: string, domain: Domain) => Promise<Actor | null>

export function bearerAuthenticator(parts: AccessParts): Authenticate {
  return (token, domain) => identifyBearer(accessContext(parts, domain), token)
}

const EVERY_SCOPE = Object.keys(SCOPES)

const OPERATOR: Actor = {
  name: 'operator',
  account: null,
  grantee: null,
  rightsVersion: null,
  scopes: EVERY_SCOPE,
  rights: rightsOf(EVERY_SCOPE),
  rightsWithin: new Map(),
  roles: [{ role: 'administrator', within: null }],
  isDevice: false,
  clientId: null,
  methodUuid: null,
  rule: null,
  systemUuid: null,
  units: null,
}

/** Accepts only this process's token, without asking the database. The operator of the process may do everything. */
export function operatorAuthenticator(operatorToken: string): Authenticate {
  const expected = sha256(operatorToken)
  // Hashes have the same length, and comparing them takes the same time for all inputs.
  return (token) => Promise.resolve(timingSafeEqual(sha256(token), expected) ? OPERATOR : null)
}

function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}
