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
  /** For each bucket, the number of answers that took no longer. */
  readonly counts: number[]
  count: number
  sum: number
}

/** Counts the answers of this process. The number of series is limited by the routes, methods and statuses. */
export class RequestMetrics {
  readonly #answers = new Map<string, { readonly labels: Labels; value: number }>()
  readonly #durations = new Map<string, Durations>()

  add({ method, route, status, seconds }: AnsweredRequest): void {
    const labels = { method: METHODS.includes(method) ? method : 'other', route, status: String(status) }
    const key = Object.values(labels).join(' ')
    const answers = this.#answers.get(key) ?? { labels, value: 0 }
    answers.value += 1
    this.#answers.set(key, answers)
    this.#addDuration(route, seconds)
  }

  #addDuration(route: string, seconds: number): void {
    const durations = this.#durations.get(route) ?? {
      labels: { route },
      counts: BUCKETS.map(() => 0),
      count: 0,
      sum: 0,
    }
    for (const [index, bound] of BUCKETS.entries()) {
      if (seconds <= bound) durations.counts[index] = (durations.counts[index] ?? 0) + 1
    }
    durations.count += 1
    durations.sum += seconds
    this.#durations.set(route, durations)
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
  const buckets = [...BUCKETS.entries()].map(([index, bound]) => bucket(labels, String(bound), counts[index] ?? 0))
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
