import * as fc from 'fast-check'
import { anyText, isUuid, objectOf, type Known } from './any-value.ts'

// Values that a JSON Schema describes, as far as the schemas of the API need it.

export interface Schema {
  readonly $ref?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Schema
  readonly properties?: { readonly [name: string]: Schema }
  readonly required?: readonly string[]
}

const DEEPEST = 5

export class JsonValues {
  readonly #root: unknown
  readonly #known: Known

  /** References begin at the root. */
  constructor(root: unknown, known: Known) {
    this.#root = root
    this.#known = known
  }

  of(schema: Schema, name = '', depth = 0): fc.Arbitrary<unknown> {
    if (schema.$ref !== undefined) return this.of(this.#at(schema.$ref), name, depth)
    if (schema.const !== undefined) return fc.constant(schema.const)
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
    const choices = schema.anyOf ?? schema.oneOf
    if (choices !== undefined) return fc.oneof(...choices.map((one) => this.of(one, name, depth)))
    const types = [schema.type ?? []].flat()
    if (types.length === 0) return fc.jsonValue({ maxDepth: 1 })
    return fc.oneof(...types.map((type) => this.#ofType(type, schema, name, depth)))
  }

  #ofType(type: string, schema: Schema, name: string, depth: number): fc.Arbitrary<unknown> {
    switch (type) {
      case 'null':
        return fc.constant(null)
      case 'boolean':
        return fc.boolean()
      case 'integer':
        return fc.integer({ min: schema.minimum ?? -5, max: Math.min(schema.maximum ?? 1_000, 1_000) })
      case 'number':
        return fc.double({ min: -100, max: 100, noNaN: true })
      case 'array':
        return fc.array(this.of(schema.items ?? {}, name, depth + 1), { maxLength: depth < DEEPEST ? 3 : 0 })
      case 'object':
        return this.#object(schema, depth)
      default:
        return this.#text(schema, name)
    }
  }

  #object({ properties = {}, required = [] }: Schema, depth: number): fc.Arbitrary<unknown> {
    const wanted = Object.entries(properties).filter(([name]) => depth < DEEPEST || required.includes(name))
    return objectOf(
      wanted.map(([name, schema]) => ({
        name,
        value: this.of(schema, name, depth + 1),
        isRequired: required.includes(name),
      })),
    )
  }

  #text({ pattern, format }: Schema, name: string): fc.Arbitrary<unknown> {
    const usual = anyText(name, this.#known, format === 'uuid' ? isUuid : undefined)
    if (pattern !== undefined) return fc.oneof(usual, fc.stringMatching(new RegExp(pattern)))
    if (format === 'date-time')
      return fc
        .date({ min: new Date('2025-01-01'), max: new Date('2026-11-01'), noInvalidDate: true })
        .map((date) => date.toISOString())
    return usual
  }

  #at(ref: string): Schema {
    let node: unknown = this.#root
    for (const step of ref.replace(/^#\/?/, '').split('/')) node = (node as { [key: string]: unknown })[step]
    return node as Schema
  }
}
