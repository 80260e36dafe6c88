import { encode } from '@msgpack/msgpack'
import { getIntrospectionQuery } from 'graphql'
import { gzipSync } from 'node:zlib'
import type { SentPoint } from '../support/site.ts'

// What takes the most of a server for each byte that is sent.

export const MEBIBYTE = 1_048_576

export type WorstBody = readonly [
  what: string,
  body: string | Uint8Array,
  status: number,
  headers?: { readonly [name: string]: string },
]

/** As often as it fits into so many bytes. */
function filled(piece: string, bytes: number): string {
  return piece.repeat(Math.floor(bytes / piece.length))
}

function members(count: number, of: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => of(index)).join()
}

/** Keys in no order, each of which is met once. */
const key = (index: number, of: string | number = '') => `"${(index * 7_919) % 240_007}x${of}"`

/** Of any value, in so many bytes. */
function values(bytes: number): readonly (readonly [what: string, text: string])[] {
  const list = (element: string) => `[${filled(`${element},`, bytes)}${element}]`
  return [
    ['exponents', list('1e3')],
    ['whole numbers', list('1')],
    ['empty lists', list('[]')],
    ['empty objects', list('{}')],
    ['an open bracket after the other', filled('[', bytes)],
    ['brackets in brackets', filled('[', bytes / 2) + filled(']', bytes / 2)],
    ['escapes', `"${filled(String.raw`\u0041`, bytes)}"`],
    ['quotation marks', `"${filled(String.raw`\"`, bytes)}"`],
    ['one text', `"${filled('a', bytes)}"`],
    ['letters beyond ASCII', `"${filled('ä', bytes / 2)}"`],
    ['one number', `1${filled('0', bytes)}1`],
    ['one fraction', `0.${filled('1', bytes)}`],
    ['blanks', `[${filled(' ', bytes)}]`],
    ['different keys', `{${members(bytes / 14, (index) => `${key(index)}:1`)}}`],
    ['one key again and again', `{${filled('"__proto__":1,', bytes)}"a":1}`],
  ]
}

/** Of a request whose query asks for next to nothing. */
export function worstVariables(bytes: number): readonly (readonly [what: string, body: string])[] {
  const bodies = values(bytes - 100).map(([what, value]): [string, string] => [
    what,
    `{"query":"{ me { login } }","variables":{"a":${value}}}`,
  ])
  const keys = members(bytes / 16, (index) => `${key(index)}:1`)
  return [
    ...bodies,
    ['different parameters', `{"query":"{ me { login } }",${keys}}`],
    ['different variables', `{"query":"{ me { login } }","variables":{${keys}}}`],
  ]
}

const wide = (count: number, field: string) =>
  Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ')
const each = (count: number, of: (index: number) => string) => Array.from({ length: count }, (_, i) => of(i)).join(' ')

export const WORST_QUERIES: readonly (readonly [what: string, query: string])[] = [
  ['the whole schema', getIntrospectionQuery()],
  ['the schema again and again', `{ ${wide(49, '__schema { types { name fields { name } } }')} }`],
  ['the schema as often as it is allowed', `{ ${wide(20, '__schema { types { name fields { name } } }')} }`],
  ['many aliases in a schema', `{ __schema { types { fields { ${wide(120, 'name')} } } } }`],
  ['one object again and again', `{ ${'me { login } '.repeat(1_200)} }`],
  ['one field again and again', `{ me { ${'login '.repeat(4_000)} } }`],
  ['one field as often as it is allowed', `{ me { ${'login '.repeat(490)} } }`],
  ['fields that there are not', `{ me { ${each(490, (index) => `logi${index}`)} } }`],
  ['arguments that there are not', `{ me(${each(1_600, (index) => `b${index}: 1`)}) { login } }`],
  ['variables that nobody uses', `query (${each(1_000, (index) => `$b${index}: Int`)}) { me { login } }`],
  ['fragments', `{ ${each(300, (i) => `...F${i}`)} } ${each(300, (i) => `fragment F${i} on Query { me { login } }`)}`],
  ['comments', `{ me { login } } ${'#\n'.repeat(40_000)}`],
  ['a long text', `{ me(a: """${'\n '.repeat(40_000)}""") { login } }`],
  ['brackets', `{ me(a: ${'['.repeat(2_400)}`],
]

const PACKED = { 'content-type': 'application/msgpack' }

/** Batches of just below 16 MiB, or as much as is taken of what costs more. */
export function worstBatches(point: (code: 'any' | 'word', value: unknown) => SentPoint): readonly WorstBody[] {
  const bytes = 15 * MEBIBYTE
  const around = (value: string) => `[${JSON.stringify(point('any', 'VALUE')).replace('"VALUE"', () => value)}]`
  const refused = new Map([
    ['one number', 400],
    ['one fraction', 400],
    ['an open bracket after the other', 400],
    ['brackets in brackets', 400],
    ['escapes', 201],
    ['quotation marks', 201],
    ['one text', 201],
    ['letters beyond ASCII', 201],
    ['blanks', 201],
  ])
  const objects = members(2_500, (of) => `{${members(19, (index) => `${key(index, of)}:1`)}}`)
  const flat = Buffer.concat([Buffer.from([0xdd, 0, 0xe0, 0, 0]), Buffer.alloc(bytes, 0x90)])
  return [
    ...values(bytes).map(([what, value]): WorstBody => [what, around(value), refused.get(what) ?? 413]),
    ['as many numbers as are taken', around(`[${'1e3,'.repeat(140_000)}1]`), 201],
    ['as many objects as are taken', around(`[${'{},'.repeat(70_000)}1]`), 201],
    ['as many different keys as are taken', around(`{${members(30_000, (index) => `${key(index)}:1`)}}`), 201],
    ['more different keys', around(`{${members(140_000, (index) => `${key(index)}:1`)}}`), 413],
    ['different small objects', around(`[${objects}]`), 201],
    ['a point of many fields', `[{${members(140_000, (index) => `${key(index)}:1`)}}]`, 422],
    ['points that are none', `[${members(10_000, () => '{"system_uuid":5}')}]`, 422],
    ['a gzip bomb', gzipSync(Buffer.alloc(200 * MEBIBYTE, '[')), 413, { 'content-encoding': 'gzip' }],
    ['MessagePack, flat', flat, 413, PACKED],
    ['MessagePack, deep', Buffer.alloc(bytes, 0x91), 400, PACKED],
    ['MessagePack, one text', encode([point('word', 'a'.repeat(bytes))]), 201, PACKED],
  ]
}

/** Forms, where a page or a client sends one. */
export const WORST_FORMS: readonly (readonly [what: string, body: string])[] = [
  ['separators', '&'.repeat(MEBIBYTE)],
  ['fields', 'a=1&'.repeat(MEBIBYTE)],
  ['as many fields as are taken', 'a=1&'.repeat(12_000)],
  ['brackets', `a${'[a]'.repeat(15_000)}=1`],
  ['escapes', `a=${'%41'.repeat(18_000)}`],
]

/** Of what the bodies have much of, and as long as it may be. */
const BOUNDARY = '-'.repeat(70)

/** Forms with files, where a page takes one. `csrf` is what the page wants to see first. */
export function worstUploads(csrf: string): readonly WorstBody[] {
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
  const part = (disposition: string, value: string) =>
    `--${BOUNDARY}\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`
  const own = part('name="csrf"', csrf)
  const upload = (what: string, parts: string, status: number): WorstBody => [
    what,
    `${own}${parts}--${BOUNDARY}--\r\n`,
    status,
    headers,
  ]
  const file = (value: string, name = 'a.yaml') => part(`name="file"; filename="${name}"`, value)
  const bytes = 60 * MEBIBYTE
  // To make values of them takes a thread of its own long.
  const planned = 4 * MEBIBYTE
  return [
    upload('as many fields as fit', filled(part('name="a"', '1'), bytes), 413),
    upload('as many files as fit', filled(file('1'), bytes), 413),
    upload('beginnings of boundaries', file(filled('\r\n-----', planned)), 422),
    upload('all but a boundary', file(filled(`\r\n${'-'.repeat(71)}`, planned)), 422),
    upload('dashes', file(filled('-', planned)), 422),
    upload('a long text', part('name="document"', filled('a', bytes)), 413),
    upload('brackets in a text', part('name="document"', filled('[', 3 * MEBIBYTE)), 422),
    upload('brackets in a file', file(filled('[', bytes)), 422),
    upload('numbers in a file', file(`{"services":[${filled('1e3,', MEBIBYTE)}1]}`, 'a.json'), 422),
    upload('long settings', part('name="settings"', filled('a: 1\n', MEBIBYTE)), 422),
    upload('letters beyond ASCII', part('name="document"', filled('ä', 1.5 * MEBIBYTE)), 422),
    upload('a long name', part(`name="${filled('a', bytes)}"`, '1'), 400),
    upload('many parts without a name', filled(part('a="b"', '1'), bytes), 400),
  ]
}
