import type { Characteristic } from '../../generated/import-document.ts'
import type { Report } from './record-type.ts'

/**
 * Checks that a SELECT has options. This is checked on the stored record, because options that the document leaves
 * out may be on the platform.
 */
export function requireOptions({ dataType, options }: Characteristic, report: Report): void {
  if (dataType === 'SELECT' && !options?.length)
    report('error', 'options-missing', ['options'], 'a SELECT needs at least one option ({key, label})')
}

/** Checks that the options have different keys that are not empty. */
export function checkOptions(body: Characteristic, report: Report): void {
  const { dataType, options, multiple } = body
  if (dataType !== 'SELECT' || options === undefined) return
  requireOptions(body, report)
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
