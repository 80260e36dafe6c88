import type { PackedPlan } from '../../../platform/imports/packed-plan.ts'
import type { Platform } from '../../../server/process/platform.ts'

// Plans wait in the memory of the process that made them, for whoever asked for them. They are made again in a moment,
// so nothing is lost when they go.

const KEPT_MS = 3_600_000
const MOST_BYTES = 67_108_864

export interface KeptPlan extends PackedPlan {
  readonly id: string
  readonly domainId: number
  /** The uuid of the account, which alone may look at it: how much a plan shows depends on who asks. */
  readonly owner: string
  readonly at: Date
  /** What was planned, in a few words. */
  readonly of: string
  /** The apply that it would undo. */
  readonly rollbackOf: string | null
}

export class KeptPlans {
  readonly #plans = new Map<string, KeptPlan>()

  keep(plan: KeptPlan): void {
    this.#plans.set(plan.id, plan)
    // The oldest first; the newest one always stays.
    for (const [id, { at }] of this.#plans) {
      const isOld = plan.at.getTime() - at.getTime() > KEPT_MS
      if (id !== plan.id && (isOld || this.#bytes() > MOST_BYTES)) this.#plans.delete(id)
    }
  }

  find(id: string, { domainId, owner }: Pick<KeptPlan, 'domainId' | 'owner'>, now: Date): KeptPlan | null {
    const plan = this.#plans.get(id)
    if (plan === undefined || plan.domainId !== domainId || plan.owner !== owner) return null
    return now.getTime() - plan.at.getTime() > KEPT_MS ? null : plan
  }

  #bytes(): number {
    return this.#plans.values().reduce((sum, { changes }) => sum + sizeOf(changes.parts), 0)
  }
}

function sizeOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0)
}

const KEPT = new WeakMap<Platform, KeptPlans>()

export function keptPlans(platform: Platform): KeptPlans {
  const known = KEPT.get(platform) ?? new KeptPlans()
  KEPT.set(platform, known)
  return known
}
