import { Ajv2020 } from 'ajv/dist/2020.js'
import standaloneCode from 'ajv/dist/standalone/index.js'
import addFormats from 'ajv-formats'
import { hasOneKey, referenceName, type JsonSchema } from '../records/json-schema.ts'
import { MOST_ERRORS } from '../records/schema-findings/schema-error.ts'
import type { Emitter } from './emitter.ts'
import { IMPORT_DOCUMENT_SCHEMA, PLAN_SCHEMA, listedDefinitions, SETTINGS_SCHEMA } from './schemas.ts'

// The validators are compiled ahead, because compiling them at start-up would delay every command by a tenth of a
// second.

export const validators: Emitter = { path: 'generated/validators.cjs', emit: emitCode }
export const validatorTypes: Emitter = { path: 'generated/validators.d.cts', emit: emitTypes }

const BANNER = '// Generated from schemas/ by "npm run types". Do not edit.\n'

/** The schemas of whole documents, each with the type generated from it. */
const DOCUMENTS = {
  importDocument: { schema: IMPORT_DOCUMENT_SCHEMA, type: 'ImportDocument' },
  settings: { schema: SETTINGS_SCHEMA, type: 'HoldfastSettings' },
  plan: { schema: PLAN_SCHEMA, type: 'Plan' },
}

/** These keywords check nothing; without them the code is half as long. */
const ANNOTATIONS = new Set(['title', 'description', 'examples', 'default', 'writeOnly'])

/** An address (RFC 5321, section 4.1.2) without quotes, whose host may be a name without a dot. */
const MAILBOX =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)*[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i

async function emitCode(): Promise<string> {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    allowUnionTypes: true,
    code: { source: true, lines: true },
    schemas: Object.values(DOCUMENTS).flatMap(({ schema }) => splitDefinitions(schema)),
  })
  addFormats.default(ajv)
  ajv.addFormat('email', MAILBOX)
  const records = listedDefinitions(IMPORT_DOCUMENT_SCHEMA).map(([key, name]) => [
    key,
    definitionId(IMPORT_DOCUMENT_SCHEMA, name),
  ])
  const documents = Object.entries(DOCUMENTS).map(([name, { schema }]) => [name, schema.$id])
  const code = endLoops(standaloneCode.default(ajv, Object.fromEntries([...records, ...documents])))
  const keys = records.map(([key]) => `  ${key}: exports.${key},\n`)
  return `${BANNER}${code}\nexports.records = {\n${keys.join('')}}\n`
}

/**
 * Ends each loop at the most errors. Millions of errors would fill the memory, and for each definition ajv copies all
 * earlier errors.
 */
function endLoops(code: string): string {
  const ended = code
    .replace(/for\(let (i\d+)=0; \1<len\d+; (?=\1\+\+\)\{)/g, (loop) => loop.replace(/; $/, ' && !isFull(vErrors); '))
    .replace(/for\(const key\d+ in data\d*\)\{/g, '$&\nif(isFull(vErrors)) break;')
  const loops = code.match(/\bfor\(/g)?.length
  if (ended.match(/isFull/g)?.length !== loops) throw new Error('ajv writes loops in an unexpected form')
  return `${ended}
function isFull(errors) {
  return errors !== null && errors.length > ${MOST_ERRORS};
}
`
}

async function emitTypes(): Promise<string> {
  const documents = Object.entries(DOCUMENTS).map(([name, { type }]) => `export const ${name}: Validator<${type}>\n`)
  const listed = listedDefinitions(IMPORT_DOCUMENT_SCHEMA)
  const records = listed.map(([key, type]) => `  readonly ${key}: Validator<${type}>\n`)
  return `${BANNER}import type { ErrorObject } from 'ajv'
${importOf('./import-document.ts', ['ImportDocument', ...listed.map(([, type]) => type)])}
${importOf('./plan.ts', ['Plan'])}
${importOf('./settings.ts', ['HoldfastSettings'])}
${importOf('../src/lib/json.ts', ['Json'])}

/** Writes the type of a schema as an object type, because TypeScript does not accept an interface as JSON. */
type Spelled<Type> = Type extends Json ? Type : { [key in keyof Type]: Spelled<Exclude<Type[key], undefined>> }

export interface Validator<Type = unknown> {
  (data: unknown): data is Spelled<Type>
  /** The errors of the last call. Each call replaces them. */
  errors?: ErrorObject[] | null
}

${documents.join('')}
/** Validates one record of a record type. */
export const records: {
${records.join('')}}
`
}

/** Imports types. The types belong to an ES module, while the validators are CommonJS. */
function importOf(path: string, types: readonly string[]): string {
  return `import type { ${types.toSorted().join(', ')} } from '${path}' with { 'resolution-mode': 'import' }`
}

/** The document and each of its definitions as schemas of their own, so that a definition is compiled only once. */
function splitDefinitions(schema: JsonSchema): JsonSchema[] {
  const { $defs = {}, ...document } = schema
  const definitions = Object.entries($defs).map(([name, node]) => ({ ...node, $id: definitionId(schema, name) }))
  return [document, ...definitions].map((node) => toCheckedSchema(node, schema))
}

function definitionId(schema: JsonSchema, name: string): string {
  return `${schema.$id}/${name}`
}

function toCheckedSchema(node: JsonSchema, root: JsonSchema): JsonSchema {
  const checked: { [keyword: string]: unknown } = {}
  for (const [keyword, value] of Object.entries(withKeyCount(node))) {
    if (!ANNOTATIONS.has(keyword)) checked[keyword] = checkedValue(keyword, value, root)
  }
  return checked
}

/**
 * Counts the keys of an object that has exactly one. With `oneOf`, each value would make an error for every other key.
 */
function withKeyCount(node: JsonSchema): JsonSchema {
  if (!hasOneKey(node)) return node
  const { oneOf: _, ...rest } = node
  return { ...rest, minProperties: 1, maxProperties: 1 }
}

function checkedValue(keyword: string, value: unknown, root: JsonSchema): unknown {
  if (keyword === '$ref') return definitionId(root, referenceName({ $ref: value as string }) ?? '')
  if (keyword === 'items') return toCheckedSchema(value as JsonSchema, root)
  if (keyword === 'anyOf') return (value as JsonSchema[]).map((branch) => toCheckedSchema(branch, root))
  if (keyword !== 'properties') return value
  const properties = Object.entries(value as { [name: string]: JsonSchema })
  return Object.fromEntries(properties.map(([name, property]) => [name, toCheckedSchema(property, root)]))
}
