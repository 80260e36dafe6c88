import type { Json } from '../../lib/json.ts'
import type { RecordBody } from '../record-type.ts'
import { limitIn, type BoundaryForm } from './boundary.ts'
import { compareMoments, type Moment } from './day-time.ts'
import type { StoredValue, ValueRules } from './value.ts'
import { refuseType, shown, type Violation } from './violation.ts'

/** The form of a date or time. */
interface MomentForm {
  readonly expected: string
  read(text: string): Moment | null
  readonly boundary: BoundaryForm<Moment>
}

/** The form of boundaries that are texts of dates or times. */
export function momentBoundary(says: string, read: (text: string) => Moment | null): BoundaryForm<Moment> {
  return {
    says,
    read: (boundary) => (typeof boundary === 'string' ? read(boundary) : null),
    isAbove: (one, other) => compareMoments(one, other) > 0,
  }
}

/** The longest text. Fractions of real measurements are much shorter. */
const LONGEST_TEXT = 64

/** Rules for dates and times: values are stored as written, and compared with the boundaries as points in time. */
export class MomentRules implements ValueRules<'text'> {
  readonly kind = 'text'
  readonly #form: MomentForm
  readonly #min: Moment | null
  readonly #max: Moment | null
  readonly #characteristic: RecordBody

  constructor(form: MomentForm, characteristic: RecordBody) {
    this.#form = form
    this.#characteristic = characteristic
    this.#min = limitIn(form.boundary, characteristic, 'boundaryMin')
    this.#max = limitIn(form.boundary, characteristic, 'boundaryMax')
  }

  accept(value: unknown): string | Violation {
    const { read, expected } = this.#form
    const moment = typeof value === 'string' && value.length <= LONGEST_TEXT ? read(value) : null
    if (moment === null) return refuseType(value, expected)
    return this.#outside(value as string, moment) ?? (value as string)
  }

  show(stored: StoredValue): Json {
    return stored as string
  }

  #outside(value: string, moment: Moment): Violation | null {
    const below = this.#min !== null && compareMoments(moment, this.#min) < 0
    if (!below && (this.#max === null || compareMoments(moment, this.#max) <= 0)) return null
    const boundary = below ? 'boundaryMin' : 'boundaryMax'
    const where = `${below ? 'below' : 'above'} ${boundary} (${String(this.#characteristic[boundary])})`
    return { code: 'out-of-bounds', detail: `${shown(value)} is ${where}` }
  }
}
