import type { JsonSchema } from '../records/json-schema.ts'
import type { Emitter } from './emitter.ts'
import { ENTITIES_SCHEMA, IMPORT_DOCUMENT_SCHEMA, SETTINGS_SCHEMA } from './schemas.ts'

export const closedSets: Emitter = { path: 'generated/closed-sets.ts', emit }

/** The generated files, each with the schema whose closed sets it lists. */
const SCHEMAS: { readonly [file: string]: JsonSchema } = {
  entities: ENTITIES_SCHEMA,
  'import-document': IMPORT_DOCUMENT_SCHEMA,
  settings: SETTINGS_SCHEMA,
}

async function emit(): Promise<string> {
  const sets = Object.entries(SCHEMAS).map(([file, schema]) => ({ file, names: closedSetsOf(schema) }))
  const imports = sets.map(({ file, names }) => `import type { ${names.join(', ')} } from './${file}.ts'\n`)
  const all = sets.flatMap(({ names }) => names).sort()
  return `// Generated from schemas/ by "npm run types". Do not edit.
${imports.join('')}
/** The members of each closed set, by the name of its definition. */
export interface ClosedSets {
${all.map((name) => `  ${name}: ${name}\n`).join('')}}
`
}

function closedSetsOf({ $defs = {} }: JsonSchema): string[] {
  return Object.entries($defs).flatMap(([name, node]) => (isClosedSet(node) ? [name] : []))
}

function isClosedSet({ enum: values, oneOf = [] }: JsonSchema): boolean {
  return values !== undefined || oneOf.some((member) => member.const !== undefined)
}
