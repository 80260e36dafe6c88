import type { Family, Labels, Sample } from './exposition.ts'

export interface AnsweredRequest {
  readonly method: string
  /** The pattern of the route. The path itself is not used, because clients choose it. */
  readonly route: string
  readonly status: number
  readonly seconds: number
}

/** The upper bounds of the buckets in seconds. */
const BUCKETS = [0.005, 0.025, 0.1, 0.25, 1, 2.5, 10, 60]
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

interface Durations {
  readonly labels: Labels
  /** For each bucket, the number of answers that took longer than the bucket before it, and no longer than this one. */
  readonly counts: number[]
  count: number
  sum: number
}

/** Counts the answers of this process. The number of series is limited by the routes, methods and statuses. */
export class RequestMetrics {
  readonly #answers = new Map<string, { readonly labels: Labels; value: number }>()
  readonly #durations = new Map<string, Durations>()

  add({ method, route, status, seconds }: AnsweredRequest): void {
    const known = METHODS.includes(method) ? method : 'other'
    const key = `${known} ${route} ${status}`
    const answers = this.#answers.get(key)
    if (answers !== undefined) answers.value += 1
    else this.#answers.set(key, { labels: { method: known, route, status: String(status) }, value: 1 })
    this.#addDuration(route, seconds)
  }

  #addDuration(route: string, seconds: number): void {
    const durations = this.#durations.get(route) ?? this.#newDurations(route)
    const bucket = BUCKETS.findIndex((bound) => seconds <= bound)
    if (bucket !== -1) durations.counts[bucket] = (durations.counts[bucket] ?? 0) + 1
    durations.count += 1
    durations.sum += seconds
  }

  #newDurations(route: string): Durations {
    const durations = { labels: { route }, counts: BUCKETS.map(() => 0), count: 0, sum: 0 }
    this.#durations.set(route, durations)
    return durations
  }

  families(): Family[] {
    return [
      {
        name: 'holdfast_http_requests_total',
        kind: 'counter',
        help: 'Requests that were answered, by method, route and status.',
        samples: this.#answers.values(),
      },
      {
        name: 'holdfast_http_request_duration_seconds',
        kind: 'histogram',
        help: 'From the arrival of a request to the beginning of its answer, by route.',
        samples: [...this.#durations.values()].flatMap(histogram),
      },
    ]
  }
}

function histogram({ labels, counts, count, sum }: Durations): Sample[] {
  let upTo = 0
  const buckets = BUCKETS.map((bound, index) => bucket(labels, String(bound), (upTo += counts[index] ?? 0)))
  return [
    ...buckets,
    bucket(labels, '+Inf', count),
    { suffix: '_sum', labels, value: sum },
    { suffix: '_count', labels, value: count },
  ]
}

function bucket(labels: Labels, le: string, value: number): Sample {
  return { suffix: '_bucket', labels: { ...labels, le }, value }
}
