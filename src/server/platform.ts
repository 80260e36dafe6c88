import type { Domain } from '../store/domains.ts'
import type { ApplyOutcome } from '../platform/imports/applying/apply-outcome.ts'
import type { ChangeSignals } from '../platform/change-signals.ts'
import type { Datapoints } from '../platform/datapoints/datapoints.ts'
import type { HeavyRequests } from './heavy/heavy-requests.ts'
import type { AccessParts } from './request-context.ts'
import type { Authenticate } from './authenticate.ts'

/** The open platform with everything that routes use. */
export interface Platform extends AccessParts {
  /** HOLDFAST_BASE_URL, the public address of the default domain; null to use the address of each request. */
  readonly baseUrl: string | null
  readonly authenticate: Authenticate
  readonly datapoints: Datapoints
  readonly changes: ChangeSignals
  /** Answers requests that would block this thread; left out if the database is embedded in it. */
  readonly heavy?: Pick<HeavyRequests, 'answer' | 'load'>
  /** Called with the result of each apply; left out if applies are not counted. */
  noteApply?(outcome: ApplyOutcome): void
  findDomain(host: string): Promise<Domain | null>
  /** Fails if the database does not answer. */
  checkDatabase(): Promise<void>
}
