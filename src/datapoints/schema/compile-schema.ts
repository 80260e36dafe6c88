import { createRequire } from 'node:module'
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js'
import { canonicalText, isObject, type Json } from '../../lib/json.ts'
import { LinearPattern } from './linear-pattern.ts'
import { schemaProblem } from './schema-problem.ts'

/** Every character of a text may cost this many steps. */
const MOST_PATTERN_INSTRUCTIONS = 2000

export interface ValueSchema {
  /** What a value does not meet, in words; null where it meets all. */
  mismatch(value: Json): string | null
}

/** A JSON Schema (draft 2020-12) made ready for values, or why it cannot be. `format` is a remark, as in the draft. */
export function compileSchema(schema: Json): ValueSchema | string {
  if (typeof schema !== 'boolean' && !isObject(schema)) return 'it is neither an object nor a boolean'
  const { $schema: _, $id: __, ...keywords } = typeof schema === 'boolean' ? { not: !schema } : (schema as JsonSchema)
  const problem = schemaProblem(keywords)
  if (problem !== null) return problem
  try {
    return new CompiledSchema(newCompiler().compile(keywords))
  } catch (error) {
    return error instanceof Error ? error.message : 'it cannot be compiled'
  }
}

type JsonSchema = { readonly [keyword: string]: Json }

class CompiledSchema implements ValueSchema {
  readonly #validate: ValidateFunction

  constructor(validate: ValidateFunction) {
    this.#validate = validate
  }

  mismatch(value: Json): string | null {
    try {
      if (this.#validate(value)) return null
    } catch (error) {
      return error instanceof Error ? error.message : 'the value cannot be checked'
    }
    const [error] = this.#validate.errors ?? []
    return `${error?.instancePath || 'the value'} ${error?.message ?? 'does not meet the schema'}`
  }
}

/** A compiler keeps what it compiled, so each schema has its own. Loaded when a model first has a schema. */
function newCompiler(): Ajv2020 {
  const module = createRequire(import.meta.url)('ajv/dist/2020.js') as { Ajv2020: typeof Ajv2020 }
  const patterns = new PatternMaker()
  const compiler = new module.Ajv2020({
    strict: false,
    validateFormats: false,
    validateSchema: false,
    meta: false,
    logger: false,
    inlineRefs: false,
    ownProperties: true,
    // 0.3 is a multiple of 0.1.
    multipleOfPrecision: 9,
    code: { regExp: Object.assign((pattern: string) => patterns.make(pattern), { code: 'LinearPattern' }) },
  })
  // Ajv compares every item with every other one.
  compiler.removeKeyword('uniqueItems')
  compiler.addKeyword({ keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', validate: isUnique })
  return compiler
}

function isUnique(unique: boolean, items: readonly Json[]): boolean {
  return !unique || new Set(items.map(canonicalText)).size === items.length
}

/** Makes the patterns of one schema. */
class PatternMaker {
  #size = 0

  make(pattern: string): LinearPattern {
    try {
      const made = new LinearPattern(pattern)
      this.#size += made.size
      if (this.#size <= MOST_PATTERN_INSTRUCTIONS) return made
    } catch (error) {
      const why = error instanceof Error ? error.message : 'it cannot be read'
      throw new Error(`the pattern ${JSON.stringify(pattern)} cannot be used: ${why}`, { cause: error })
    }
    throw new Error('its patterns are too many or too large')
  }
}
