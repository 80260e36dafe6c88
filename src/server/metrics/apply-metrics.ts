import type { ApplyOutcome } from '../../platform/imports/applying/apply-outcome.ts'
import type { Family } from './exposition.ts'

/** Counts the results of the applies in this process. All results are present from the start. */
export class ApplyMetrics {
  readonly #counts: { [outcome in ApplyOutcome]: number } = {
    done: 0,
    unchanged: 0,
    stale: 0,
    blocked: 0,
    refused: 0,
    failed: 0,
  }

  readonly note = (outcome: ApplyOutcome): void => {
    this.#counts[outcome] += 1
  }

  families(): Family[] {
    return [
      {
        name: 'holdfast_applies_total',
        kind: 'counter',
        help: 'Applies, by outcome.',
        samples: Object.entries(this.#counts).map(([outcome, value]) => ({ labels: { outcome }, value })),
      },
    ]
  }
}
