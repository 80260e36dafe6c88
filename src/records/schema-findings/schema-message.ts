import { isObject } from '../../lib/json.ts'
import { escapePart } from '../../lib/pointer.ts'
import { didYouMean } from '../../lib/suggest.ts'
import { instantFlaw } from '../instant.ts'
import { alternatives, nodeAt, valueAt, type JsonSchema } from '../json-schema.ts'
import { describeType, describeValue, listOf, quote } from './schema-words.ts'
import { listed, type Mistake } from './schema-mistakes.ts'

/** The path of a mistake, and its document and schema. */
interface MistakeContext {
  readonly path: readonly string[]
  readonly document: unknown
  readonly schema: JsonSchema | undefined
}

interface Description {
  readonly code: string
  readonly message: string
  readonly pointer: string
}

/** Describes a mistake and its correction, with a stable code. */
export function describeMistake(mistake: Mistake, context: MistakeContext): Description {
  const { instancePath: pointer, keyword } = mistake.error
  if (keyword === 'additionalProperties') return unknownKey(mistake, context)
  const [code, message] = codeAndMessage(mistake, context)
  return { code, message, pointer }
}

function unknownKey({ error, misspelled }: Mistake, context: MistakeContext): Description {
  const key = String(error.params['additionalProperty'])
  const advice = misspelled === undefined ? keyAdvice(key, context) : ` Did you mean ${quote(misspelled)}?`
  const pointer = `${error.instancePath}/${escapePart(key)}`
  return { code: 'unknown-key', message: `unknown key ${quote(key)}.${advice}`, pointer }
}

function keyAdvice(key: string, { path, document, schema }: MistakeContext): string {
  const present = valueAt(document, path)
  const known = knownKeys(path, schema)
  const free = known.filter((name) => !isObject(present) || !Object.hasOwn(present, name))
  const instead = free.length === 0 ? '' : `, or use ${listOf(free)}`
  return didYouMean(key, free) || didYouMean(key, known) || ` Remove it${instead}.`
}

function codeAndMessage(
  { error: { keyword, params, message } }: Mistake,
  context: MistakeContext,
): [code: string, message: string] {
  const subject = subjectOf(context.path)
  const limit = Number(params['limit'])
  switch (keyword) {
    case 'required':
      return ['missing-key', missingKey(String(params['missingProperty']), context)]
    case 'type':
      return ['wrong-type', wrongType(listed(params['type']).map(String), context)]
    case 'enum':
      return ['not-in-enum', notInEnum(listed(params['allowedValues']), context)]
    case 'const':
      return ['not-allowed-value', `${subject} must be ${JSON.stringify(params['allowedValue'])}${actual(context)}.`]
    case 'format':
      return ['wrong-format', wrongFormat(String(params['format']), context)]
    case 'pattern':
      return ['wrong-format', `${subject} must match ${String(params['pattern'])}${actual(context)}.`]
    case 'minLength':
      return [
        'too-short',
        limit === 1 ? `${subject} must not be empty.` : `${subject} must have at least ${limit} characters.`,
      ]
    case 'maxLength':
      return ['too-long', `${subject} must have at most ${limit} characters.`]
    case 'minItems':
      return ['too-short', `${subject} must have at least ${limit} entries.`]
    case 'maxItems':
      return ['too-long', `${subject} must have at most ${limit} entries.`]
    case 'minProperties':
    case 'maxProperties':
      return ['wrong-key-count', wrongKeyCount(context)]
    case 'minimum':
      return ['out-of-range', `${subject} must be at least ${limit}${actual(context)}.`]
    case 'maximum':
      return ['out-of-range', `${subject} must be at most ${limit}${actual(context)}.`]
    default:
      return ['not-allowed-value', `${subject} ${message ?? 'is not allowed'}.`]
  }
}

function wrongFormat(format: string, context: MistakeContext): string {
  const value = valueAt(context.document, context.path)
  const isQuoted = format === 'date-time' && typeof value === 'string' && mayQuote(context)
  const flaw = isQuoted ? instantFlaw(value) : ''
  return `${subjectOf(context.path)} must be ${describeType('string', { format })}${actual(context)}${flaw}.`
}

function missingKey(key: string, { path, schema }: MistakeContext): string {
  const expected = expectation([...path, key], schema)
  return `key ${quote(key)} is missing: add it${expected && `; it must be ${expected}`}.`
}

function wrongType(types: readonly string[], context: MistakeContext): string {
  const expected = expectation(context.path, context.schema) || describeTypes(types)
  return `${subjectOf(context.path)} must be ${expected}${actual(context)}.${typeAdvice(types, context)}`
}

/** The expected value in words; an empty text if the schema is not known. */
function expectation(path: readonly string[], schema: JsonSchema | undefined): string {
  const nodes = nodesAt(path, schema)
  const allowed = nodes.flatMap((node) => node.enum ?? [])
  if (allowed.length > 0) return `one of ${listOf(allowed)}`
  const words = nodes.flatMap((node) => [node.type ?? []].flat().map((type) => describeType(type, node)))
  return joinTypes(words)
}

function describeTypes(types: readonly string[]): string {
  return joinTypes(types.map((type) => describeType(type, {})))
}

function joinTypes(words: readonly string[]): string {
  return words.length < 3 ? words.join(' or ') : `${words.slice(0, -1).join(', ')}, or ${words.at(-1)}`
}

/** Advice for values that YAML or JSON reads as another type than the author intended. */
function typeAdvice(types: readonly string[], { path, document, schema }: MistakeContext): string {
  const value = valueAt(document, path)
  if (value === null) return nullAdvice(types, path, schema)
  if (types.includes('array')) return ' Write a list, even for one entry.'
  if (typeof value !== 'string') return isScalar(value) && types.includes('string') ? ' Write it in quotes.' : ''
  if (types.includes('boolean') && /^(true|false|yes|no|on|off)$/i.test(value))
    return ' Write true or false, without quotes.'
  const isNumeric = types.some((type) => type === 'number' || type === 'integer') && /^-?[\d.]+$/.test(value)
  return isNumeric ? ' Write it without quotes.' : ''
}

function isScalar(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean'
}

function nullAdvice(types: readonly string[], path: readonly string[], schema: JsonSchema | undefined): string {
  const key = path.at(-1) ?? ''
  const required = nodesAt(path.slice(0, -1), schema).some((node) => node.required?.includes(key))
  const none = types.includes('array') ? 'Write [] for none' : 'Give it a value'
  return required || schema === undefined ? ` ${none}.` : ` ${none}, or leave the key out.`
}

function notInEnum(allowed: readonly unknown[], context: MistakeContext): string {
  const value = valueAt(context.document, context.path)
  const candidates = allowed.filter((candidate) => typeof candidate === 'string')
  const suggestion = typeof value === 'string' && mayQuote(context) ? didYouMean(value, candidates) : ''
  return `${subjectOf(context.path)} must be one of ${listOf(allowed)}${actual(context)}.${suggestion}`
}

function wrongKeyCount({ path, schema }: MistakeContext): string {
  const keys = knownKeys(path, schema)
  return `${subjectOf(path)} must have exactly one key${keys.length === 0 ? '' : `: ${listOf(keys)}`}.`
}

function actual(context: MistakeContext): string {
  return `, but is ${describeValue(valueAt(context.document, context.path), mayQuote(context))}`
}

/** Tells whether a value may be quoted. By its schema it is no secret, and no record with one belongs there. */
function mayQuote({ path, schema }: MistakeContext): boolean {
  // A value in place of the whole document may contain any secret of it.
  if (schema === undefined || path.length === 0) return false
  return !path.some((_, index) => isSecret(path.slice(0, index + 1), schema)) && !holdsSecret(path, schema)
}

function isSecret(path: readonly string[], schema: JsonSchema): boolean {
  return nodesAt(path, schema).some((node) => node.writeOnly === true)
}

/** Tells whether a record at this path, or in a list at this path, has a secret. */
function holdsSecret(path: readonly string[], schema: JsonSchema): boolean {
  return [path, [...path, '0']].some((record) =>
    knownKeys(record, schema).some((key) => isSecret([...record, key], schema)),
  )
}

function nodesAt(path: readonly string[], schema: JsonSchema | undefined): readonly JsonSchema[] {
  const node = schema && nodeAt(schema, path)
  return schema === undefined || node === undefined ? [] : alternatives(node, schema)
}

function knownKeys(path: readonly string[], schema: JsonSchema | undefined): string[] {
  return nodesAt(path, schema)
    .flatMap((node) => Object.keys(node.properties ?? {}))
    .filter((key) => !key.startsWith('$'))
}

function subjectOf(path: readonly string[]): string {
  const last = path.at(-1)
  if (last === undefined) return 'the document'
  return /^\d+$/.test(last) ? `every entry of ${quote(path.at(-2) ?? '')}` : quote(last)
}
