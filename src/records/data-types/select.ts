import type { Characteristic } from '../../../generated/import-document.ts'
import { isObject } from '../../lib/json.ts'
import { literalText } from '../../lib/type-text.ts'
import type { RecordBody, Report } from '../record-type.ts'
import { jsonTextRules, textRules } from '../values/text-rules.ts'
import type { ValueRules } from '../values/value.ts'
import { refuseType, shown, type Violation } from '../values/violation.ts'
import { declareDataType, type TypedCharacteristic } from './declaration.ts'

/** The key of one option. With `multiple`: any number of different keys, in the order in which they were sent. */
export const SELECT = declareDataType({
  name: 'SELECT',
  kind: 'text',
  value: 'the key of an option; a list of keys with `multiple`',
  honours: ['multiple', 'options'],
  boundary: null,
  rules(characteristic): ValueRules<'text'> {
    const keys = optionKeys(characteristic)
    return characteristic['multiple'] === true
      ? jsonTextRules((value) => acceptKeys(value, keys))
      : textRules((value) => acceptKey(value, keys))
  },
  clientType(characteristic) {
    const keys = [...optionKeys(characteristic)].map(literalText)
    // The options of a document that leaves them out may be on the platform.
    return { union: keys.length === 0 ? ['string'] : keys, isList: characteristic['multiple'] === true }
  },
  example(characteristic) {
    const [key = ''] = optionKeys(characteristic)
    return characteristic['multiple'] === true ? [key] : key
  },
  input: 'options',
  shape: 'state',
  check: checkOptions,
  checkStored: missOptions,
})

function acceptKey(value: unknown, keys: ReadonlySet<string>): string | Violation {
  if (typeof value !== 'string') return refuseType(value, 'the key of an option, a string')
  return keys.has(value) ? value : unknownOption(value, keys)
}

function acceptKeys(value: unknown, keys: ReadonlySet<string>): string | Violation {
  if (!Array.isArray(value)) return refuseType(value, 'a list of option keys')
  const seen = new Set<unknown>()
  for (const key of value as readonly unknown[]) {
    if (typeof key !== 'string') return refuseType(key, 'a list of option keys, each a string')
    if (!keys.has(key)) return unknownOption(key, keys)
    if (seen.has(key)) return { code: 'wrong-type', detail: `the option ${shown(key)} is in the list twice` }
    seen.add(key)
  }
  return JSON.stringify(value)
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

/** Warns about missing options. The stored record is checked, since omitted options may be on the platform. */
function missOptions({ options }: Characteristic, report: Report): void {
  const message = 'a SELECT without options ({key, label}) takes no value'
  if (!options?.length) report('warning', 'options-missing', ['options'], message)
}

/** Checks that the keys of the options are unique and not empty. */
function checkOptions({ options = [], multiple }: TypedCharacteristic, report: Report): void {
  const seen = new Map<string, number>()
  for (const [index, { key }] of options.entries()) {
    const path = ['options', index, 'key']
    const first = seen.get(key)
    if (first === undefined) seen.set(key, index)
    else {
      const message = `the option key ${JSON.stringify(key)} is already used by option ${first}; every key of a SELECT${multiple ? ' (multiple)' : ''} names one option`
      report('error', 'duplicate-option', path, message)
    }
    if (key === '')
      report('error', 'empty-option-key', path, 'an option key must not be empty: it is the value that is stored')
  }
}
