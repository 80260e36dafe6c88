import type { Characteristic } from '../../../generated/import-document.ts'
import type { Report } from '../record-type.ts'
import type { TypedCharacteristic } from './typed-characteristic.ts'

/**
 * Warns about a SELECT without options. This is checked on the stored record, because options that the document
 * leaves out may be on the platform.
 */
export function missOptions({ dataType, options }: Characteristic, report: Report): void {
  const message = 'a SELECT without options ({key, label}) takes no value'
  if (dataType === 'SELECT' && !options?.length) report('warning', 'options-missing', ['options'], message)
}

/** Checks that the options have different keys that are not empty. */
export function checkOptions(body: TypedCharacteristic, report: Report): void {
  const { dataType, options, multiple } = body
  if (dataType !== 'SELECT' || options === undefined) return
  const seen = new Map<string, number>()
  for (const [index, { key }] of options.entries()) {
    const first = seen.get(key)
    if (first !== undefined) {
      report(
        'error',
        'duplicate-option',
        ['options', index, 'key'],
        `the option key ${JSON.stringify(key)} is already used by option ${first}; every key of a SELECT${multiple ? ' (multiple)' : ''} names one option`,
      )
    } else seen.set(key, index)
    if (key === '')
      report(
        'error',
        'empty-option-key',
        ['options', index, 'key'],
        'an option key must not be empty: it is the value that is stored',
      )
  }
}
