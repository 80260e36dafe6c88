import { closedSets } from './closed-sets.ts'
import { staleFiles, writeFiles, type Emitter } from './emitter.ts'
import { entitiesTable } from './entities-table.ts'
import { graphqlSchema } from './graphql-schema.ts'
import { errorsTable } from './errors-table.ts'
import { openApi } from './openapi-document.ts'
import { clientOperations, simulateOperations } from './operation-types.ts'
import { answerTypes, entityTypes, importDocumentTypes, planTypes, settingsTypes } from './schema-types.ts'
import { recordTypesTable } from './record-types-table.ts'
import { limitsTable } from './limits-table.ts'
import { scopesTable } from './scopes-table.ts'
import { validators, validatorTypes } from './validators.ts'

/** Every file below `generated/`. */
export const EMITTERS: readonly Emitter[] = [
  importDocumentTypes,
  settingsTypes,
  planTypes,
  entityTypes,
  answerTypes,
  closedSets,
  validators,
  validatorTypes,
  recordTypesTable,
  entitiesTable,
  graphqlSchema,
  openApi,
  clientOperations,
  simulateOperations,
  scopesTable,
  limitsTable,
  errorsTable,
]

/** The files below `generated/` of the repository at `root`. */
export function generatedFiles(root: URL) {
  return { stale: () => staleFiles(EMITTERS, root), write: () => writeFiles(EMITTERS, root) }
}

const ROOT = new URL('../../', import.meta.url)

/** Writes the stale files, or only names them with `--check`. Returns the exit code. */
export async function generate(options: readonly string[], root: URL, print: (text: string) => void): Promise<number> {
  const unknown = options.find((option) => option !== '--check')
  if (unknown !== undefined) {
    print(`unknown option ${unknown}: only --check is known`)
    return 1
  }
  return options.length === 0 ? write(root, print) : check(root, print)
}

async function write(root: URL, print: (text: string) => void): Promise<number> {
  const written = await writeFiles(EMITTERS, root)
  print(written.length === 0 ? 'generated/ is up to date' : `wrote ${written.join(', ')}`)
  return 0
}

async function check(root: URL, print: (text: string) => void): Promise<number> {
  const stale = await staleFiles(EMITTERS, root)
  for (const path of stale) print(`${path} is out of date: run "npm run types" and commit the result`)
  return stale.length === 0 ? 0 : 1
}

if (import.meta.main) {
  process.exitCode = await generate(process.argv.slice(2), ROOT, (text) => process.stderr.write(`${text}\n`))
}
