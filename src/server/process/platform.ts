import type { Domain } from '../../store/domains.ts'
import type { ApplyOutcome } from '../../platform/imports/apply-outcome.ts'
import type { ChangeSignals } from '../../platform/changes/change-signals.ts'
import type { Datapoints } from '../../platform/datapoints/datapoints.ts'
import type { HeavyRequests } from '../heavy/heavy-requests.ts'
import type { AccessParts } from '../access-context.ts'
import type { Authenticate } from '../authenticate.ts'

/** The opened platform, as the routes see it. */
export interface Platform extends AccessParts {
  /** HOLDFAST_BASE_URL: where its default domain is reached from outside; null where that is what a request names. */
  readonly baseUrl: string | null
  readonly authenticate: Authenticate
  readonly datapoints: Datapoints
  readonly changes: ChangeSignals
  /** Answers what is too much work for this thread; left out where the database is in this process, and does its work here. */
  readonly heavy?: Pick<HeavyRequests, 'answer'>
  /** Told what became of each apply; left out where nobody counts them. */
  noteApply?(outcome: ApplyOutcome): void
  findDomain(host: string): Promise<Domain | null>
  /** Fails where the database does not answer. */
  checkDatabase(): Promise<void>
}
