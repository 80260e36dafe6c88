import { isObject, type Json } from '../../lib/json.ts'
import type { RecordBody } from '../../records/record-type.ts'
import { parsedText } from '../wire/parsed-text.ts'
import type { StoredValue, ValueRules } from './value.ts'
import { refuseType, shown, type Violation } from '../wire/violation.ts'

/** BOOLEAN: true or false. */
export class BooleanRules implements ValueRules {
  readonly kind = 'boolean'

  accept(value: unknown): boolean | Violation {
    return typeof value === 'boolean' ? value : refuseType(value, 'true or false')
  }

  show(stored: StoredValue): Json {
    return stored as boolean
  }
}

/** STRING: any text that a database stores unchanged, including an empty one. */
export class StringRules implements ValueRules {
  readonly kind = 'text'

  accept(value: unknown): string | Violation {
    if (typeof value !== 'string') return refuseType(value, 'a string')
    if (value.includes('\0')) return { code: 'wrong-type', detail: 'the text has the character U+0000; remove it' }
    // PGlite removes a byte order mark when it reads.
    if (value.startsWith('\ufeff'))
      return { code: 'wrong-type', detail: 'the text begins with U+FEFF, a byte order mark; remove it' }
    if (value.isWellFormed()) return value
    return { code: 'wrong-type', detail: 'the text has half of a surrogate pair, which is no character; remove it' }
  }

  show(stored: StoredValue): Json {
    return stored as string
  }
}

const LONGEST_TIMESPAN = 100
const AMOUNT = String.raw`(\d+(?:[.,]\d+)?`
const TIMESPAN = new RegExp(
  `^P(?=[\\dT])${AMOUNT}Y)?${AMOUNT}M)?${AMOUNT}W)?${AMOUNT}D)?(T(?=\\d)${AMOUNT}H)?${AMOUNT}M)?${AMOUNT}S)?)?$`,
)
/** Only the smallest unit may have a fraction. */
const EARLY_FRACTION = /[.,]\d+[A-Z].*\d/

/** TIMESPAN: a duration of ISO 8601, stored as it was written. */
export class TimespanRules implements ValueRules {
  readonly kind = 'text'

  accept(value: unknown): string | Violation {
    const fits =
      typeof value === 'string' &&
      value.length <= LONGEST_TIMESPAN &&
      TIMESPAN.test(value) &&
      !EARLY_FRACTION.test(value)
    return fits ? value : refuseType(value, 'an ISO 8601 duration such as P1DT2H30M or PT0.5S')
  }

  show(stored: StoredValue): Json {
    return stored as string
  }
}

/**
 * BLOB: base64 (RFC 4648, section 4) with padding, only in the canonical spelling of its bytes; bin in MessagePack.
 */
export class BlobRules implements ValueRules {
  readonly kind = 'text'

  accept(value: unknown): string | Violation {
    if (value instanceof Uint8Array) {
      return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
    }
    const isBase64 = typeof value === 'string' && Buffer.from(value, 'base64').toString('base64') === value
    return isBase64 ? value : refuseType(value, 'base64 with padding (bin in MessagePack)')
  }

  show(stored: StoredValue): Json {
    return stored as string
  }
}

/** SELECT: the key of one option. */
export class SelectRules implements ValueRules {
  readonly kind = 'text'
  readonly #keys: ReadonlySet<string>

  constructor(characteristic: RecordBody) {
    this.#keys = optionKeys(characteristic)
  }

  accept(value: unknown): string | Violation {
    if (typeof value !== 'string') return refuseType(value, 'the key of an option, a string')
    return this.#keys.has(value) ? value : unknownOption(value, this.#keys)
  }

  show(stored: StoredValue): Json {
    return stored as string
  }
}

/** SELECT with `multiple`: the keys of any number of options, each once, in the order in which they were sent. */
export class MultipleSelectRules implements ValueRules {
  readonly kind = 'text'
  readonly #keys: ReadonlySet<string>

  constructor(characteristic: RecordBody) {
    this.#keys = optionKeys(characteristic)
  }

  accept(value: unknown): string | Violation {
    if (!Array.isArray(value)) return refuseType(value, 'a list of option keys')
    const seen = new Set<unknown>()
    for (const key of value as readonly unknown[]) {
      if (typeof key !== 'string') return refuseType(key, 'a list of option keys, each a string')
      if (!this.#keys.has(key)) return unknownOption(key, this.#keys)
      if (seen.has(key)) return { code: 'wrong-type', detail: `the option ${shown(key)} is in the list twice` }
      seen.add(key)
    }
    return JSON.stringify(value)
  }

  show(stored: StoredValue): Json {
    return parsedText(stored as string)
  }
}

function optionKeys(characteristic: RecordBody): ReadonlySet<string> {
  const options = characteristic['options']
  return new Set(Array.isArray(options) ? options.map((option) => (isObject(option) ? String(option['key']) : '')) : [])
}

const MOST_NAMED = 10

function unknownOption(key: string, keys: ReadonlySet<string>): Violation {
  if (keys.size === 0) return { code: 'unknown-option', detail: `${shown(key)} is no option; it has no options yet` }
  const names = [...keys].slice(0, MOST_NAMED).map(shown).join(', ')
  const rest = keys.size > MOST_NAMED ? ` and ${keys.size - MOST_NAMED} more` : ''
  return { code: 'unknown-option', detail: `${shown(key)} is no option; there are ${names}${rest}` }
}
