import type { Operations } from '../../generated/client-operations.ts'
import type { Json } from '../lib/json.ts'
import { ApiError } from './api-error.ts'
import type { Call, Connection } from './connection.ts'
import { DOCUMENTS } from './documents.ts'
import { followPoints, type Changes, type FollowOptions, type FollowedPoint } from './follow.ts'
import type { Path, Point, SentPoint, SeriesName, SettingPath, Time, ValueAt } from './model.ts'
import { AGGREGATIONS, rangeOf, readLatest, USUAL_PAGE } from './read-series.ts'
import type {
  Bucket,
  BucketOptions,
  Curve,
  CurveOptions,
  Figure,
  LatestOptions,
  Page,
  PageOptions,
} from './read-series.ts'
import { sendPoints, type SendOptions, type Sent } from './send-points.ts'
import { takeSetpoints, type PendingSetpoint } from './setpoints.ts'

/** Values by their paths. */
export type Values<Support> = { readonly [P in Path<Support>]?: ValueAt<Support, P> }

export type Setpoint = Operations['Set']['data']['setSetpoints'][number]

export type SetOptions = Call & Pick<Operations['Set']['variables'], 'expiresAt' | 'expiresIn'>

/** A setpoint of one of the settings of a component. */
export type PendingOf<Support> = {
  [P in SettingPath<Support>]: PendingSetpoint<P, ValueAt<Support, P>>
}[SettingPath<Support>]

/** A point of one of the paths of a component. */
export type FollowedOf<Support> = { [P in Path<Support>]: FollowedPoint<P, ValueAt<Support, P>> }[Path<Support>]

/** One component. `Support` has the types of its paths. */
export class Component<Support> {
  readonly model: string
  readonly uuid: string
  readonly #connection: Connection

  constructor(connection: Connection, model: string, uuid: string) {
    this.#connection = connection
    this.model = model
    this.uuid = uuid.toLowerCase()
  }

  /** Names a characteristic of this component, to read characteristics of several components together. */
  at<P extends Path<Support>>(path: P): SeriesName<ValueAt<Support, P>> {
    return { component: this.uuid, path }
  }

  /** Makes a datapoint, to send datapoints of several components together. */
  point<P extends Path<Support>>(
    path: P,
    value: ValueAt<Support, P> & SentPoint['value'],
    timestamp?: Time,
  ): SentPoint {
    return { component: this.uuid, path, value, timestamp }
  }

  /** Returns the latest value; null if there is none. */
  async latest<P extends Path<Support>>(path: P, options: LatestOptions = {}): Promise<ValueAt<Support, P> | null> {
    return (await this.latestPoint(path, options))?.value ?? null
  }

  async latestPoint<P extends Path<Support>>(
    path: P,
    options: LatestOptions = {},
  ): Promise<Point<ValueAt<Support, P>> | null> {
    await this.#check(options)
    const [point = null] = await readLatest(this.#connection, [this.at(path)], options)
    return point as Point<ValueAt<Support, P>> | null
  }

  /** Reads all points of a range, page by page. */
  async *range<P extends Path<Support>>(
    path: P,
    options: PageOptions = {},
  ): AsyncGenerator<Point<ValueAt<Support, P>>> {
    let after = options.after ?? null
    do {
      const { points, next } = await this.page(path, { ...options, after })
      yield* points
      after = next
    } while (after !== null)
  }

  async page<P extends Path<Support>>(path: P, options: PageOptions = {}): Promise<Page<ValueAt<Support, P>>> {
    const { first = USUAL_PAGE, after, order } = options
    const variables = { ...(await this.#series(path, options)), ...rangeOf(options), first, after, order }
    const { points, pageInfo } = (await this.#connection.query(DOCUMENTS.Page, variables, options)).datapoints
    const next = pageInfo?.hasNextPage === true ? pageInfo.endCursor : null
    return { points: (points ?? []) as readonly Point<ValueAt<Support, P>>[], next }
  }

  /** Reads figures of every bucket with `interval`, or a curve for a chart with `maxPoints`. */
  curve<P extends Path<Support>, F extends Figure>(
    path: P,
    options: BucketOptions<F>,
  ): Promise<readonly Bucket<F, ValueAt<Support, P>>[]>
  curve<P extends Path<Support>>(path: P, options: CurveOptions): Promise<Curve<ValueAt<Support, P>>>
  async curve(path: Path<Support>, options: BucketOptions<Figure> | CurveOptions): Promise<readonly unknown[]> {
    const { signal, totalMs, from, to, serviceChange, ...form } = options
    const series = { ...(await this.#series(path, options)), ...rangeOf({ from, to, serviceChange }) }
    if ('maxPoints' in form) {
      const { datapoints } = await this.#connection.query(DOCUMENTS.Curve, { ...series, ...form }, { signal, totalMs })
      return datapoints.states ?? datapoints.points ?? []
    }
    const aggregations = form.aggregations.map((figure) => AGGREGATIONS[figure])
    const variables = { ...series, ...form, aggregations }
    return (await this.#connection.query(DOCUMENTS.Buckets, variables, { signal, totalMs })).datapoints.buckets ?? []
  }

  /** Sends one value for each path, with the same timestamp. */
  async send(values: Values<Support>, options: SendOptions & { readonly timestamp?: Time } = {}): Promise<Sent> {
    await this.#check(options)
    const points = Object.entries(values).map(([path, value]) => ({
      component: this.uuid,
      path,
      value: value as SentPoint['value'],
      timestamp: options.timestamp,
    }))
    return sendPoints(this.#connection, points, options)
  }

  /** Sets a value, which the device then fetches. */
  async setSetpoint<P extends SettingPath<Support>>(
    path: P,
    value: ValueAt<Support, P> & Json,
    options: SetOptions = {},
  ): Promise<Setpoint> {
    const { expiresAt, expiresIn } = options
    const components = [{ ...(await this.#series(path, options)), value }]
    const { setSetpoints } = await this.#connection.mutate(DOCUMENTS.Set, { components, expiresAt, expiresIn }, options)
    const [setpoint] = setSetpoints
    if (setpoint === undefined) throw new ApiError('INTERNAL', 'the platform answers without the setpoint')
    return setpoint
  }

  /** Follows new datapoints of the component. */
  follow(options: FollowOptions = {}): AsyncGenerator<Changes<FollowedOf<Support>>, never> {
    const changes = followPoints(this.#connection, { ...options, components: [this.uuid] })
    return changes as AsyncGenerator<Changes<FollowedOf<Support>>, never>
  }

  /** Takes setpoints of the component as they come, for its device. */
  takeSetpoints(options: Call = {}): AsyncGenerator<PendingOf<Support>, never> {
    const taken = takeSetpoints(this.#connection, { ...options, components: [this.uuid] })
    return taken as AsyncGenerator<PendingOf<Support>, never>
  }

  async #series(path: string, call: Call) {
    await this.#check(call)
    const { known } = this.#connection
    const { service, characteristic } = await this.#connection.shared(
      () => known.support({ component: this.uuid, path }),
      call,
    )
    return { component: this.uuid, service, characteristic }
  }

  /** A component of another model has other paths and values than the types say. */
  async #check(call: Call): Promise<void> {
    const { componentModel } = await this.#connection.shared(() => this.#connection.known.one(this.uuid), call)
    if (componentModel === this.model) return
    const message = `the component ${this.uuid} is a ${componentModel}, not a ${this.model}`
    throw new ApiError('CONFLICT', message)
  }
}
