import { BatchErrors, type BatchError, type ErrorOfBatch } from '../ingest/batch-error.ts'

/** The series of rejected points, as far as it is known or was named. */
export interface RefusedOf {
  readonly systemUuid: string | null
  readonly componentUuid: string | null
  readonly serviceUuid: string | null
  readonly characteristicUuid: string | null
}

/** The number of points of one series, or of no known series, that were refused for one reason. */
export interface Refusals {
  readonly of: RefusedOf
  readonly code: ErrorOfBatch
  count: number
}

/** The errors of datapoints. All errors are counted by their series. */
export class PointErrors extends BatchErrors {
  readonly #refusals = new Map<string, Refusals>()

  get refusals(): Iterable<Refusals> {
    return this.#refusals.values()
  }

  refuse(index: number, field: string | null, error: Omit<BatchError, 'pointer' | 'retryable'>, of: RefusedOf): void {
    this.add(index, field, error)
    const key = refusalKey(of, error.code)
    const known = this.#refusals.get(key)
    if (known !== undefined) known.count += 1
    else this.#refusals.set(key, { of: seriesOf(of, of.systemUuid), code: error.code, count: 1 })
  }
}

export function refusalKey(of: RefusedOf, code: string): string {
  return `${code} ${of.systemUuid} ${of.componentUuid} ${of.serviceUuid} ${of.characteristicUuid}`
}

/** The names of a series. Only these are kept in memory. */
export function seriesOf({ componentUuid, serviceUuid, characteristicUuid }: RefusedOf, systemUuid: string | null) {
  return { systemUuid, componentUuid, serviceUuid, characteristicUuid }
}

/** For errors about no series: names the system to which the sender is bound, if there is one. */
export function ofNoSeries(systemUuid: string | null): RefusedOf {
  return { systemUuid, componentUuid: null, serviceUuid: null, characteristicUuid: null }
}
