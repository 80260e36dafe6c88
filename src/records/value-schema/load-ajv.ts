import { createRequire } from 'node:module'
import type * as Ajv from 'ajv/dist/2020.js'

/**
 * Loads the compiler of JSON Schemas when one is first needed, because most documents have no schema and loading takes
 * a tenth of a second.
 */
export function loadAjv(): typeof Ajv {
  return createRequire(import.meta.url)('ajv/dist/2020.js')
}
