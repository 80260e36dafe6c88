import type { Lifecycle } from '../lifecycle.ts'
import { CONTENT_TYPE, exposition, type Family } from './exposition.ts'
import { processMetrics } from './process-metrics.ts'
import { RequestMetrics } from './request-metrics.ts'

/** What those who watch the process may know. It names no domain, no account and nothing that is stored. */
export class Metrics {
  readonly requests = new RequestMetrics()
  readonly #sources: (() => readonly Family[])[]

  constructor(lifecycle: Lifecycle) {
    this.#sources = [() => this.requests.families(), processMetrics(lifecycle)]
  }

  /** Asked each time that somebody looks. */
  add(source: () => readonly Family[]): void {
    this.#sources.push(source)
  }

  answer(): Response {
    const text = exposition(this.#sources.flatMap((source) => source()))
    return new Response(text, { headers: { 'content-type': CONTENT_TYPE, 'cache-control': 'no-store' } })
  }
}
