import type { Status } from './status.ts'

/** A person or a machine user who can sign in and act. The model may describe it or not (see `platform_records`). */
export interface Account {
  /** The `sub` of tokens. */
  readonly uuid: string
  readonly kind: 'person' | 'machine'
  /** The name to sign in with, which history and drift show: an e-mail address or a user name. */
  readonly login: string
  /** The display name; null if none is known. */
  readonly name: string | null
  readonly email: string | null
  readonly status: Status
}
