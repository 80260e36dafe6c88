import type { AccessContext } from './access/access-context.ts'

/** What every operation on a domain needs, and on whose behalf it is done. */
export interface DomainContext extends AccessContext {
  /** The name that history and drift show: a user, a machine user, a workflow. */
  readonly actor: string
}
