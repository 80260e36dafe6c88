import { encode } from '@msgpack/msgpack'
import * as fc from 'fast-check'
import { gzipSync } from 'node:zlib'
import { modelArbitrary } from '../../support/random-model.ts'
import type { Call } from '../test-server.ts'
import { anyText, ANYTHING, FLAW, flawed, objectOf, type Known } from './any-value.ts'
import { JsonValues, type Schema } from './any-json.ts'

// Requests for the operations of an OpenAPI document, valid by its schemas or broken somewhere.

interface Content {
  readonly [type: string]: { readonly schema: Schema; readonly examples?: { readonly [name: string]: Example } }
}
interface Example {
  readonly value: unknown
}
interface Parameter {
  readonly in: string
  readonly name: string
  readonly schema: Schema
}
export interface Operation {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: { readonly [status: string]: { readonly content?: Content } }
}
export interface OpenApi {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
}

/** Returns every operation by its method and path. */
export function restOperations({ paths }: OpenApi): (readonly [name: string, operation: Operation])[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  )
}

/** Without these, a request for datapoints seldom succeeds. */
const MOSTLY_GIVEN = /^(?:component|service|characteristic)_uuid$/

/** Whatever waits would make the test wait. */
const NO_WAIT: Schema = { type: 'integer', minimum: 0, maximum: 0 }
const NO_PREFERENCE: Schema = { enum: ['handling=lenient', 'handling=strict', 'return=minimal', '', 'wait=0'] }

export class RestRequests {
  readonly #known: Known
  readonly #values: JsonValues
  readonly #importDocument: fc.Arbitrary<unknown>

  constructor(document: OpenApi, importSchema: Schema, known: Known) {
    this.#known = known
    this.#values = new JsonValues(document, known)
    this.#importDocument = fc.oneof(modelArbitrary(), new JsonValues(importSchema, known).of(importSchema))
  }

  valid(name: string, operation: Operation): fc.Arbitrary<Call> {
    const [method = '', path = ''] = name.split(' ')
    return fc
      .tuple(
        this.#parameters(operation, 'query'),
        this.#parameters(operation, 'header'),
        this.#body(operation),
        this.#accept(operation),
      )
      .map(([query, headers, body, accept]) => ({
        method,
        path: `${path}${queryText(query)}`,
        headers: {
          ...headersOf(headers),
          ...accept,
          ...(headers['Content-Encoding'] !== undefined && { 'content-encoding': 'identity' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }))
  }

  /** The same with wrong parameters, headers, media types or bodies, or with bytes that nobody can read. */
  broken(name: string, operation: Operation): fc.Arbitrary<Call> {
    return fc
      .tuple(
        this.valid(name, operation),
        this.#body(operation),
        FLAW,
        this.#wrongHeaders(),
        this.#wrongQuery(),
        fc.nat({ max: 4 }),
      )
      .map(([call, body, flaw, headers, query, kind]): Call => {
        const wrong = flawed(body, flaw)
        if (kind === 0)
          return { ...call, path: `${call.path ?? ''}${call.path?.includes('?') === true ? '&' : '?'}${query}` }
        if (kind === 1 || body === undefined) return { ...call, headers: { ...call.headers, ...headers } }
        if (kind === 2) return { ...call, headers: { 'content-type': 'application/msgpack' }, body: packed(wrong) }
        if (kind === 3)
          return { ...call, headers: { 'content-encoding': 'gzip' }, body: cut(gzipSync(textOf(wrong)), flaw.place) }
        return { ...call, body: textOf(wrong) }
      })
  }

  #parameters({ parameters = [] }: Operation, place: string): fc.Arbitrary<{ readonly [name: string]: unknown }> {
    const own = parameters.filter((one) => one.in === place)
    return objectOf(
      own.map(({ name, schema }) => ({
        name,
        value: this.#values.of(bounded(name, schema), name),
        isRequired: MOSTLY_GIVEN.test(name),
      })),
    )
  }

  #body({ requestBody }: Operation): fc.Arbitrary<unknown> {
    const json = requestBody?.content['application/json']
    if (json === undefined) return fc.constant(undefined)
    if (json.schema.$ref?.endsWith('/ImportDocument') === true) return this.#importDocument
    return this.#values.of(json.schema)
  }

  #accept({ responses }: Operation): fc.Arbitrary<{ readonly accept?: string }> {
    const types = Object.keys(responses['200']?.content ?? {})
    return fc.constantFrom({}, { accept: '*/*' }, ...types.map((accept) => ({ accept })))
  }

  #wrongHeaders(): fc.Arbitrary<{ readonly [name: string]: string }> {
    const names = ['accept', 'content-type', 'content-encoding', 'prefer', 'idempotency-key', 'x-service-change']
    const usual = fc.constantFrom(
      'application/xml',
      'text/html;q=0',
      'br',
      'application/json; charset=latin1',
      'handling=',
      ';,=',
    )
    const text = fc.oneof(usual, fc.stringMatching(/^[\x21-\x7e]{0,30}$/))
    return fc
      .tuple(fc.constantFrom(...names, 'traceparent', 'if-none-match', 'expect-ct'), text)
      .map(([name, value]) => ({ [name]: value }))
  }

  #wrongQuery(): fc.Arbitrary<string> {
    const name = fc.oneof(
      fc.constantFrom('from', 'to', 'interval', 'first', 'component_uuid', 'apply', 'wait'),
      fc.string({ maxLength: 5 }),
    )
    return fc
      .tuple(
        name,
        fc.oneof(
          ANYTHING.map((value) => textOf(value).slice(0, 200)),
          anyText('', this.#known),
        ),
      )
      .map(([key, value]) => new URLSearchParams({ [key]: key === 'wait' ? `${value}x` : value }).toString())
  }
}

function bounded(name: string, schema: Schema): Schema {
  return name === 'wait' ? NO_WAIT : name === 'Prefer' ? NO_PREFERENCE : schema
}

function queryText(query: { readonly [name: string]: unknown }): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? (value as unknown[]) : [value]).map((one) => [name, String(one)]),
  )
  const text = new URLSearchParams(pairs).toString()
  return text === '' ? '' : `?${text}`
}

/** Node sends no header with other characters. */
function headersOf(headers: { readonly [name: string]: unknown }): { readonly [name: string]: string } {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, String(value).replaceAll(/[^\x20-\x7e]/g, '')]),
  )
}

function textOf(value: unknown): string {
  return JSON.stringify(value) ?? ''
}

function packed(value: unknown): Uint8Array {
  try {
    return encode(value)
  } catch {
    return new Uint8Array([0xc1])
  }
}

function cut(bytes: Uint8Array, place: number): Uint8Array {
  return place % 3 === 0 ? bytes : bytes.slice(0, place % bytes.length)
}
