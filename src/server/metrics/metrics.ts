import { acceptedType } from '../requests/accepted-type.ts'
import { CONTENT_TYPES, exposition, type Family } from './exposition.ts'
import { processMetrics } from './process-metrics.ts'
import { RequestMetrics } from './request-metrics.ts'
import type { ApplyOutcome } from '../../platform/imports/applying/apply-outcome.ts'

/** Receives a function for the metrics of this process, and returns one for the metrics of all processes. */
export type JoinMetrics = (own: () => readonly Family[]) => () => Promise<readonly Family[]>

/** The metrics of the process. They contain no domain, no account and no stored data. */
export class Metrics {
  readonly requests = new RequestMetrics()
  readonly applies = new ApplyMetrics()
  readonly #sources: (() => readonly Family[])[]
  readonly #gather: () => Promise<readonly Family[]> | readonly Family[]

  /** `join` is left out if the process serves alone. */
  constructor(isReady: () => boolean, join?: JoinMetrics) {
    this.#sources = [() => this.requests.families(), () => this.applies.families(), processMetrics(isReady)]
    const own = () => this.#sources.flatMap((source) => source())
    this.#gather = join?.(own) ?? own
  }

  /** Adds a source of metrics, which is called for each request. */
  add(source: () => readonly Family[]): void {
    this.#sources.push(source)
  }

  /** Answers a request for the metrics. `accept` is its Accept header. */
  async answer(accept: string | undefined): Promise<Response> {
    const format = acceptedType(accept, ['text/plain', 'application/openmetrics-text'])
    const text = exposition(await this.#gather(), format)
    return new Response(text, { headers: { 'content-type': CONTENT_TYPES[format], 'cache-control': 'no-store' } })
  }
}

/** Counts the applies of this process by result. All results are present from the start. */
class ApplyMetrics {
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
