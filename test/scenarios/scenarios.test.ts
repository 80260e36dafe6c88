import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { loadDocument, type LoadedDocument } from '../../src/documents/read/load.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { applyAll, plan } from '../support/domain.ts'
import { golden } from '../support/golden.ts'
import { oneDomain } from '../platform/one-domain.ts'

// Each folder is the smallest input for one behaviour: `before` is applied, and `plan.json` is what `after` then plans.

const here = fileURLToPath(new URL('.', import.meta.url))
const folders = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort()

const domain = oneDomain()

/** A folder that is not there is a platform that nothing was applied to. */
function load(folder: string): LoadedDocument {
  const directory = join(here, folder)
  const paths = globSync('**/*.{yaml,json}', { cwd: directory }).sort()
  const files = paths.map((path) => ({ path, bytes: readFileSync(join(directory, path)) }))
  const loaded = loadDocument(files, { env: () => undefined, file: () => undefined }, { secretFields: new Map() })
  expect(loaded.diagnostics).toEqual([])
  return loaded
}

/** Only types that the plan says something about: the other rows of the scope are the same everywhere. */
function pretty({ scope, access, ...rest }: Plan): string {
  const telling = scope.filter(({ state, actual }) => state !== 'unmanaged' || actual > 0)
  const grants = access.state === 'unmanaged' && access.changes.length === 0 ? {} : { access }
  return linesOf({ ...rest, ...grants, scope: telling })
}

/** JSON with a line for each field, and for each element of a list. */
function linesOf(body: object): string {
  const fields = Object.entries(body).map(([name, value]: [string, unknown]) => {
    const isList = Array.isArray(value) && value.length > 0
    const elements = isList ? value.map((one) => `\n    ${JSON.stringify(one)}`) : []
    return `  ${JSON.stringify(name)}: ${isList ? `[${elements.join()}\n  ]` : JSON.stringify(value)}`
  })
  return `{\n${fields.join(',\n')}\n}\n`
}

test.each(folders)('%s', async (folder) => {
  const before = load(`${folder}/before`)
  const after = load(`${folder}/after`)
  await applyAll(domain(), before.document, before.settings)
  const planned = pretty(await plan(domain(), after.document, after.settings))
  expect(planned).toBe(golden(new URL(`${folder}/plan.json`, import.meta.url), planned))
})
