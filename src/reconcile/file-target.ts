import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { loadDocument } from '../documents/load.ts'
import { metadataTypesOf, NO_METADATA_RULES } from '../documents/metadata-rules.ts'
import { readDocument } from '../documents/read-document.ts'
import type { Snapshot } from '../documents/snapshot.ts'
import { hasErrors } from '../lib/diagnostic.ts'
import { HoldfastError } from '../lib/errors.ts'
import type { JsonObject } from '../lib/json.ts'
import { makePlan } from '../plan/make-plan.ts'
import type { RecordTypeName } from '../records/record-type.ts'
import { withFile } from './file-error.ts'
import { fileLiveState } from './file-live-state.ts'
import { locateDiagnostics } from './locate.ts'
import { shownPath } from './model-source.ts'
import { wrongModels } from './models.ts'
import { NO_REFERENCES } from './reference-resolver.ts'
import { SECRET_FIELDS } from './secret-fields.ts'
import type { Target } from './target.ts'

/** `--against FILE`: an exported document in the place of a platform. It can be planned against, and that is all. */
export async function fileTarget(file: string, cwd: string): Promise<Target> {
  const { document, snapshot } = await readExport(file, cwd)
  const liveMetadata = metadataTypesOf(document, NO_METADATA_RULES)
  return {
    async plan(models, settings) {
      const reading = readDocument(models.document, liveMetadata)
      if (hasErrors(reading.diagnostics)) throw wrongModels(reading.diagnostics)
      // Whether there are records of types that the export leaves out is not known, and nothing is said about it.
      const external = reading.external.filter(({ type }) => isExported(snapshot, type))
      return makePlan({ ...reading, external }, fileLiveState(snapshot, reading.snapshot), settings)
    },
    exportDocument: () => Promise.resolve(document),
    apply: needsPlatform,
    history: needsPlatform,
    pastApply: needsPlatform,
    rollbackPlan: needsPlatform,
    close: () => Promise.resolve(),
  }
}

function isExported(snapshot: Snapshot, type: RecordTypeName): boolean {
  return (snapshot.get(type)?.coverage ?? 'none') !== 'none'
}

async function readExport(file: string, cwd: string): Promise<{ document: JsonObject; snapshot: Snapshot }> {
  const path = resolve(cwd, file)
  const bytes = await withFile('read', `--against ${file}`, () => readFile(path))
  const files = [{ path: shownPath(path, cwd), bytes }]
  const loaded = loadDocument(files, NO_REFERENCES, { secretFields: SECRET_FIELDS })
  const document = loaded.document as JsonObject
  const { snapshot, diagnostics } = readDocument(document)
  const found = [...loaded.diagnostics, ...locateDiagnostics(diagnostics, loaded)]
  if (!hasErrors(found)) return { document, snapshot }
  const message = `--against ${file}: it is not an export of a platform ("holdfast export > ${file}" writes one)`
  throw new HoldfastError('BAD_USER_INPUT', message, { details: found.filter(({ severity }) => severity === 'error') })
}

function needsPlatform(): Promise<never> {
  return Promise.reject(new HoldfastError('BAD_USER_INPUT', 'this needs a platform, not a file'))
}
