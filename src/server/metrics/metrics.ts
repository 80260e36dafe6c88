import type { Lifecycle } from '../process/lifecycle.ts'
import { acceptedType } from '../requests/accepted-type.ts'
import { ApplyMetrics } from './apply-metrics.ts'
import { CONTENT_TYPES, exposition, type Family } from './exposition.ts'
import { processMetrics } from './process-metrics.ts'
import { RequestMetrics } from './request-metrics.ts'

/** The metrics of the process. They name no domain, no account and nothing that is stored. */
export class Metrics {
  readonly requests = new RequestMetrics()
  readonly applies = new ApplyMetrics()
  readonly #sources: (() => readonly Family[])[]

  constructor(lifecycle: Lifecycle) {
    this.#sources = [() => this.requests.families(), () => this.applies.families(), processMetrics(lifecycle)]
  }

  /** Adds a source, which is read for each request. */
  add(source: () => readonly Family[]): void {
    this.#sources.push(source)
  }

  /** `accept` is the header of the request. */
  answer(accept: string | undefined): Response {
    const format = acceptedType(accept, ['text/plain', 'application/openmetrics-text'])
    const text = exposition(
      this.#sources.flatMap((source) => source()),
      format,
    )
    return new Response(text, { headers: { 'content-type': CONTENT_TYPES[format], 'cache-control': 'no-store' } })
  }
}
