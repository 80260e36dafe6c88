type Numbers = Float64Array<ArrayBuffer> | BigInt64Array<ArrayBuffer>
type Value = number | bigint

/** The number of values that are sorted at once. Sorting millions at once would delay other requests. */
const RUN = 65_536

/** Sorts values in runs. A run is sorted as soon as it is complete. */
export class SortedValues {
  readonly #runs: Numbers[] = []
  /** The incomplete last run. Its values are in the order in which they were added. */
  #open: Numbers
  #used = 0

  constructor(kind: 'float' | 'integer') {
    this.#open = kind === 'float' ? new Float64Array(FEW) : new BigInt64Array(FEW)
  }

  get count(): number {
    return this.#runs.length * RUN + this.#used
  }

  add(values: Float64Array | BigInt64Array): void {
    for (let start = 0; start < values.length;) {
      if (this.#used === RUN) {
        this.#runs.push(this.#open.slice().sort())
        this.#used = 0
      }
      const end = Math.min(values.length, start + RUN - this.#used)
      this.#makeRoom(this.#used + end - start)
      this.#open.set(values.subarray(start, end) as never, this.#used)
      this.#used += end - start
      start = end
    }
  }

  #makeRoom(needed: number): void {
    if (needed <= this.#open.length) return
    const length = Math.min(RUN, Math.max(needed, this.#open.length * 2))
    const larger = this.#open instanceof Float64Array ? new Float64Array(length) : new BigInt64Array(length)
    larger.set(this.#open.subarray(0, this.#used) as never)
    this.#open = larger
  }

  /** Returns the values at these places of the sorted order, and removes all values. */
  takeAt(places: readonly number[]): Value[] {
    const runs = [...this.#runs, this.#open.subarray(0, this.#used).sort()]
    const found = places.map((place) => valueAt(runs, place))
    this.#runs.length = 0
    this.#used = 0
    return found
  }
}

const FEW = 64

/** Returns the value at a place in the sorted order of all runs, by narrowing the runs down around it. */
function valueAt(runs: readonly Numbers[], place: number): Value {
  const windows = runs.map((run) => ({ run, start: 0, end: run.length }))
  for (;;) {
    const { run, start, end } = windows.reduce((a, b) => (a.end - a.start >= b.end - b.start ? a : b))
    const middle = run[(start + end) >>> 1]!
    const cuts = windows.map((window) => [firstFrom(window, middle, false), firstFrom(window, middle, true)] as const)
    const [less, notMore] = cuts.reduce(([a, b], [c, d]) => [a + c, b + d], [0, 0])
    if (place >= less && place < notMore) return middle
    for (const [index, [below, upTo]] of cuts.entries()) {
      if (place < less) windows[index]!.end = below
      else windows[index]!.start = upTo
    }
  }
}

interface Window {
  readonly run: Numbers
  readonly start: number
  readonly end: number
}

/** Returns the index of the first value of a run that is not below a limit; if `isAbove`, that is above it. */
function firstFrom({ run, start, end }: Window, limit: Value, isAbove: boolean): number {
  let [low, high] = [start, end]
  while (low < high) {
    const middle = (low + high) >>> 1
    const value = run[middle]!
    if (value < limit || (isAbove && value === limit)) low = middle + 1
    else high = middle
  }
  return low
}
