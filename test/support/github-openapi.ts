import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'

// GitHub's own description of the operations that Holdfast uses. The fake GitHub checks its requests and answers by
// it, so that it cannot differ from the real one unnoticed.

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly nullable?: boolean
  readonly required?: readonly string[]
  readonly properties?: { readonly [name: string]: Schema }
  readonly allOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required?: boolean
  readonly schema: Schema
}

interface Content {
  readonly content?: { readonly [media: string]: { readonly schema: Schema } }
  readonly $ref?: string
}

interface OperationObject {
  readonly operationId: string
  readonly parameters: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: Content
  readonly responses: { readonly [status: string]: Content }
}

interface Description {
  readonly paths: { readonly [route: string]: { readonly [method: string]: OperationObject } }
}

const description = JSON.parse(readFileSync(new URL('github-openapi.json', import.meta.url), 'utf8')) as Description

const ajv = addFormats.default(new Ajv({ strict: false, allErrors: true, coerceTypes: false }))
// The format OWNER/NAME.
ajv.addFormat('repo.nwo', true)
ajv.addSchema({ $id: 'github', ...(withNull(description) as Description) })

export interface Operation {
  readonly id: string
  readonly route: string
  readonly method: string
  readonly path: { readonly [name: string]: string }
}

export function findOperation(method: string, path: string): Operation | null {
  for (const [route, methods] of Object.entries(description.paths)) {
    const found = methods[method.toLowerCase()]
    const pattern = route.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')
    const match = new RegExp(`^${pattern}$`).exec(path)
    if (found !== undefined && match !== null) {
      return { id: found.operationId, route, method: method.toLowerCase(), path: { ...match.groups } }
    }
  }
  return null
}

/** The mistakes in a request; empty if it matches GitHub's description. */
export function requestProblems(operation: Operation, query: URLSearchParams, body: unknown): string[] {
  const object = operationObject(operation)
  const parameters = object.parameters.map((one) => ('$ref' in one ? resolve<Parameter>(one.$ref) : one))
  const known = new Map(parameters.filter((one) => one.in === 'query').map((one) => [one.name, one]))
  const unknown = [...query.keys()].filter((name) => !known.has(name)).map((name) => `unknown parameter ${name}`)
  const wrong = [...query].flatMap(([name, text]) => {
    const schema = known.get(name)?.schema
    return schema === undefined ? [] : problemsOf(name, schema, readValue(text, schema))
  })
  return [...unknown, ...wrong, ...bodyProblems(object.requestBody, body)]
}

const ERROR: Schema = { $ref: '#/components/schemas/basic-error' }

/**
 * The mistakes in an answer. Statuses that are not described, such as those of a broken server, have an error as
 * body.
 */
export function responseProblems(operation: Operation, status: number, body: unknown): string[] {
  const described = operationObject(operation).responses[String(status)]
  if (described !== undefined) return bodyProblems(described, body)
  return status < 400 ? [`status ${status} is not described`] : problemsOf('answer', ERROR, body)
}

function operationObject({ route, method }: Operation): OperationObject {
  const object = description.paths[route]?.[method]
  if (object === undefined) throw new Error(`${method} ${route} is not described`)
  return object
}

function bodyProblems(content: Content | undefined, body: unknown): string[] {
  const resolved = content?.$ref === undefined ? content : resolve<Content>(content.$ref)
  const schema = resolved?.content?.['application/json']?.schema
  if (schema === undefined) return body === undefined ? [] : ['there should be no body']
  return problemsOf('body', schema, body)
}

function problemsOf(name: string, schema: Schema, value: unknown): string[] {
  const validate = validatorOf(schema)
  if (validate(value)) return []
  return (validate.errors ?? []).map(({ instancePath, message }) => `${name}${instancePath} ${message}`)
}

/** Compiles each validator once, because that takes longer than the whole command under test. */
function validatorOf(schema: Schema): ValidateFunction {
  const found = validators.get(schema)
  if (found !== undefined) return found
  const made = ajv.compile(absolute(withNull(schema) as Schema))
  validators.set(schema, made)
  return made
}

const validators = new WeakMap<Schema, ValidateFunction>()

/** In OpenAPI 3.0, `nullable` allows null in any case. Ajv needs a type next to it, and null in an enum. */
function withNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNull)
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withNull(inner)]))
  if (copy['nullable'] !== true) return copy
  const { nullable: _, ...rest } = copy
  return { anyOf: [rest, { type: 'null' }] }
}

function readValue(text: string, { type }: Schema): unknown {
  if (type === 'integer' || type === 'number') return Number(text)
  return type === 'boolean' ? text === 'true' : text
}

/** Makes references of the description absolute, so that they work from outside. */
function absolute(schema: Schema): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"github#/')) as object
}

function resolve<T>(reference: string): T {
  const names = reference.replace('#/', '').split('/')
  return names.reduce<unknown>((value, name) => (value as { [name: string]: unknown })[name], description) as T
}

/** The smallest value of a schema, with these members instead of invented ones. */
export function example(schema: string, members: { readonly [name: string]: unknown } = {}): object {
  const made = leastValue({ $ref: `#/components/schemas/${schema}` }) as object
  return { ...made, ...members }
}

const TEXTS: { readonly [format: string]: string } = {
  uri: 'https://github.example/',
  'date-time': '2026-01-02T03:04:05Z',
  email: 'somebody@github.example',
}

function leastValue(schema: Schema): unknown {
  if (schema.$ref !== undefined) return leastValue(resolve<Schema>(schema.$ref))
  if (schema.nullable === true) return null
  if (schema.allOf !== undefined) return Object.assign({}, ...schema.allOf.map(leastValue))
  const [first] = schema.anyOf ?? schema.oneOf ?? []
  if (first !== undefined) return leastValue(first)
  if (schema.enum !== undefined) return schema.enum[0]
  return leastOfType(schema)
}

function leastOfType({ type, format = '', required = [], properties = {} }: Schema): unknown {
  if (type === 'string') return TEXTS[format] ?? 'text'
  if (type === 'integer' || type === 'number') return 1
  if (type === 'boolean') return false
  if (type === 'array') return []
  return Object.fromEntries(required.map((name) => [name, leastValue(properties[name] ?? {})]))
}
