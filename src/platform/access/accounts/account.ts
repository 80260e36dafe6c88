import type { Status } from './status.ts'

/** Who can sign in and act: a person or a machine user, of the model or not (see `platform_records`). */
export interface Account {
  /** `sub` in tokens. */
  readonly uuid: string
  readonly kind: 'person' | 'machine'
  /** What is typed to sign in, and what history and drift show: an e-mail address or a user name. */
  readonly login: string
  /** For people to read; null where none is known. */
  readonly name: string | null
  readonly email: string | null
  readonly status: Status
}
