import { isObject } from '../../lib/json.ts'

/** The reasons for the rights of an actor, apart from the token itself. */
export interface Authority {
  /** The uuid of the account. */
  readonly account: string
  /** The client_id of the application. */
  readonly client: string | null
  /** The uuid of the authentication method, and the rule of it that let them in. */
  readonly method: string | null
  readonly rule: string | null
  readonly scopes: readonly string[]
  /** The grants by claims that fitted; null where no grants are looked up. */
  readonly fits: readonly string[] | null
  readonly isDevice: boolean
}

/** Only the platform writes such a value. */
export const isAuthority = (value: unknown): value is Authority => isObject(value)
