import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { IncomingHttpHeaders } from 'node:http'
import type { ErrorCode } from '../../src/lib/errors.ts'
import { toPointer } from '../../src/lib/pointer.ts'
import { ERROR_KINDS } from '../../src/server/requests/error-kinds.ts'
import { DEFAULT_LIMITS } from '../../src/server/requests/limits.ts'
import { openApiDocument } from '../../src/server/routes/openapi-document.ts'
import { PUBLIC_ROUTES, REST_ROUTES } from '../../src/server/routes/rest-routes.ts'

// Whatever a test server is asked over REST must be as /rest/v1/openapi.json says.

export interface Exchange {
  readonly method: string
  readonly path: string
  readonly headers: { readonly [name: string]: string | readonly string[] }
  readonly body: string | Uint8Array | undefined
  readonly answer: {
    readonly status: number
    readonly headers: IncomingHttpHeaders
    /** Parsed; undefined if it is no JSON. */
    readonly json: unknown
    readonly text: string
  }
}

type Node = { readonly [key: string]: unknown }

const document = openApiDocument([...REST_ROUTES, ...PUBLIC_ROUTES], {
  issuer: 'http://first.example',
  limits: DEFAULT_LIMITS,
})
let compiler: Ajv2020 | undefined

/** The schema at a place of the description. */
export function schemaAt(path: readonly string[]): ValidateFunction {
  if (compiler === undefined) {
    compiler = new Ajv2020({ strict: false, allErrors: false })
    addFormats.default(compiler)
    compiler.addSchema(document, 'openapi.json')
  }
  const found = compiler.getSchema(`openapi.json#${encodeURI(toPointer(path)).replaceAll('#', '%23')}`)
  if (found === undefined) throw new Error(`the description has nothing at ${toPointer(path)}`)
  return found
}

/** What of an answer the page of errors contradicts; nothing if it is no problem. */
export function unexplained({ status, headers, json }: Exchange['answer']): string[] {
  if (headers['content-type']?.startsWith('application/problem+json') !== true) return []
  const { code, type, status: named } = (json ?? {}) as { code?: ErrorCode; type?: string; status?: number }
  const { others = {}, status: usual } = (code && ERROR_KINDS[code]) ?? { status: 0 }
  return [
    ...(named === status && (status === usual || status in others) ? [] : [`${code} is answered with ${status}`]),
    ...(type === `/errors#${code}` ? [] : [`the type of ${code} is ${type}`]),
  ]
}

/** What of an exchange is not as described; of one that the description is not about, nothing. */
export function undescribed(exchange: Exchange): string[] {
  const { method, path } = exchange
  const { status } = exchange.answer
  const [address = '', search] = path.split('?')
  const place = ['paths', address, method === 'HEAD' ? 'get' : method.toLowerCase()]
  const operation = nodeAt(place)
  if (operation === undefined) return []
  const [response, at] = resolved([...place, 'responses', String(status)])
  if (response === undefined) return [`${method} ${address} is not described to answer ${status}`]
  const problems = [
    ...headerProblems(response, exchange),
    ...(method === 'HEAD' ? [] : bodyProblems(response, at, exchange)),
  ]
  // A batch that is answered with 207 has wrong elements.
  if (status < 300 && status !== 207)
    problems.push(...requestProblems(operation, place, exchange, new URLSearchParams(search)))
  return problems.map((problem) => `${method} ${address} ${status}: ${problem}`)
}

function headerProblems(response: Node, { answer: { headers } }: Exchange): string[] {
  return Object.keys((response['headers'] ?? {}) as Node).flatMap((name) => {
    const [header] = resolved(['components', 'headers', refName((response['headers'] as Node)[name])])
    const value = headers[name.toLowerCase()]
    if (header?.['required'] === true && value === undefined) return [`the header ${name} is missing`]
    if (value === undefined) return []
    const { pattern, const: only } = (header?.['schema'] ?? {}) as {
      readonly pattern?: string
      readonly const?: string
    }
    const fits = (only ?? value) === value && (pattern === undefined || new RegExp(pattern).test(String(value)))
    return fits ? [] : [`the header ${name} is ${String(value)}`]
  })
}

function bodyProblems(response: Node, at: readonly string[], { answer: { headers, json, text } }: Exchange): string[] {
  const content = response['content'] as Node | undefined
  if (content === undefined) return text === '' ? [] : ['it has a body']
  const type = String(headers['content-type']).split(';')[0] ?? ''
  if (content[type] === undefined) return [`it is ${type}`]
  if (!type.endsWith('json') || type === 'application/x-ndjson') return []
  const validate = schemaAt([...at, 'content', type, 'schema'])
  return validate(json) ? [] : [`the body ${JSON.stringify(validate.errors)}`]
}

/** What was accepted must be described. */
function requestProblems(
  operation: Node,
  place: readonly string[],
  { headers, body }: Exchange,
  search: URLSearchParams,
): string[] {
  const parameters = (operation['parameters'] ?? []) as readonly { readonly in: string; readonly name: string }[]
  const known = parameters.filter((one) => one.in === 'query').map(({ name }) => name)
  const unknown = [...search.keys()].filter((name) => !known.includes(name)).map((name) => `it takes ${name}`)
  const isPlain = headers['content-encoding'] === undefined && headers['content-type'] === undefined
  if (typeof body !== 'string' || !isPlain || operation['requestBody'] === undefined) return unknown
  const validate = schemaAt([...place, 'requestBody', 'content', 'application/json', 'schema'])
  const isDescribed = validate(JSON.parse(body.replace(/^\ufeff/, '')))
  return isDescribed ? unknown : [...unknown, `it takes ${JSON.stringify(validate.errors)}`]
}

function resolved(path: readonly string[]): readonly [Node | undefined, readonly string[]] {
  const node = nodeAt(path)
  if (typeof node?.['$ref'] !== 'string') return [node, path]
  const target = node['$ref'].slice(2).split('/')
  return [nodeAt(target), target]
}

function refName(node: unknown): string {
  return String((node as { $ref?: string }).$ref ?? '')
    .split('/')
    .slice(-1)
    .join('')
}

function nodeAt(path: readonly string[]): Node | undefined {
  let node: unknown = document
  for (const step of path) node = (node as Node | undefined)?.[step]
  return node as Node | undefined
}
