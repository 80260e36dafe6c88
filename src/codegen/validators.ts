import { Ajv2020 } from 'ajv/dist/2020.js'
import standaloneCode from 'ajv/dist/standalone/index.js'
import addFormats from 'ajv-formats'
import { referenceName, type JsonSchema } from '../records/json-schema.ts'
import type { Emitter } from './emitter.ts'
import { IMPORT_DOCUMENT_SCHEMA, PLAN_SCHEMA, listedDefinitions, SETTINGS_SCHEMA } from './schemas.ts'

// Validators compiled ahead: compiling them at start-up would cost a tenth of a second in every command.

export const validators: Emitter = { path: 'generated/validators.cjs', emit: emitCode }
export const validatorTypes: Emitter = { path: 'generated/validators.d.cts', emit: emitTypes }

const BANNER = '// Generated from schemas/ by "npm run types". Do not edit.\n'
const DOCUMENTS = { importDocument: IMPORT_DOCUMENT_SCHEMA, settings: SETTINGS_SCHEMA, plan: PLAN_SCHEMA }

/** These keywords check nothing; without them the code is half as long. */
const ANNOTATIONS = new Set(['title', 'description', 'examples', 'default', 'writeOnly'])

async function emitCode(): Promise<string> {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    allowUnionTypes: true,
    code: { source: true, lines: true },
    schemas: Object.values(DOCUMENTS).flatMap(splitDefinitions),
  })
  addFormats.default(ajv)
  const records = listedDefinitions(IMPORT_DOCUMENT_SCHEMA).map(([key, name]) => [
    key,
    definitionId(IMPORT_DOCUMENT_SCHEMA, name),
  ])
  const documents = Object.entries(DOCUMENTS).map(([name, { $id }]) => [name, $id])
  const code = appendInPlace(standaloneCode.default(ajv, Object.fromEntries([...records, ...documents])))
  const keys = records.map(([key]) => `  ${key}: exports.${key},\n`)
  return `${BANNER}${code}\nexports.records = {\n${keys.join('')}}\n`
}

/**
 * Ajv joins the errors of a definition to those before by `concat`, which copies all of them each time:
 * a document of 100,000 wrong records took two minutes, and takes 0.2 s so.
 */
function appendInPlace(code: string): string {
  const appended = code.replace(/vErrors\.concat\(([\w.]+\.errors)\)/g, 'append(vErrors, $1)')
  if (appended === code || appended.includes('.concat('))
    throw new Error('ajv joins errors in another way than expected')
  return `${appended}
function append(errors, more) {
  for (const error of more) errors.push(error);
  return errors;
}
`
}

async function emitTypes(): Promise<string> {
  const documents = Object.keys(DOCUMENTS).map((name) => `export const ${name}: Validator\n`)
  const records = listedDefinitions(IMPORT_DOCUMENT_SCHEMA).map(([key]) => `  readonly ${key}: Validator\n`)
  return `${BANNER}import type { ErrorObject } from 'ajv'

export interface Validator {
  (data: unknown): boolean
  /** The errors of the last call. Each call replaces them. */
  errors?: ErrorObject[] | null
}

${documents.join('')}
/** Validates one record of a record type. */
export const records: {
${records.join('')}}
`
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
  for (const [keyword, value] of Object.entries(node)) {
    if (!ANNOTATIONS.has(keyword)) checked[keyword] = checkedValue(keyword, value, root)
  }
  return checked
}

function checkedValue(keyword: string, value: unknown, root: JsonSchema): unknown {
  if (keyword === '$ref') return definitionId(root, referenceName({ $ref: value as string }) ?? '')
  if (keyword === 'items') return toCheckedSchema(value as JsonSchema, root)
  if (keyword === 'anyOf') return (value as JsonSchema[]).map((branch) => toCheckedSchema(branch, root))
  if (keyword !== 'properties') return value
  const properties = Object.entries(value as { [name: string]: JsonSchema })
  return Object.fromEntries(properties.map(([name, property]) => [name, toCheckedSchema(property, root)]))
}
