import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { baseFrom } from '../../documents/base-document.ts'
import { loadDocument } from '../../documents/read/load.ts'
import { inOrder, locateDiagnostics } from '../../documents/locate-diagnostics.ts'
import { metadataTypesOf, NO_METADATA_RULES } from '../../documents/checks/metadata-rules.ts'
import { readDocument } from '../../documents/read/read-document.ts'
import type { Snapshot } from '../../documents/snapshot.ts'
import { hasErrors, type Diagnostic } from '../../lib/diagnostic.ts'
import { HoldfastError } from '../../lib/errors.ts'
import type { JsonObject } from '../../lib/json.ts'
import { makePlan } from '../../plan/make-plan.ts'
import type { Base } from '../../plan/own/own-part.ts'
import { ACCESS, type RecordTypeName } from '../../records/record-type.ts'
import type { Settings } from '../../records/settings.ts'
import { withFile } from '../file-error.ts'
import { fileLiveState } from './file-live-state.ts'
import { shownPath } from './model-source.ts'
import { wrongModels } from './models.ts'
import { NO_REFERENCES } from './reference-resolver.ts'
import { SECRET_FIELDS } from '../../documents/secret-fields.ts'
import type { SentBase, Target } from '../target/target.ts'

/** The target of `--against FILE`: an exported document instead of a platform. It supports plans only. */
export async function fileTarget(file: string, cwd: string): Promise<Target> {
  const { document, access, snapshot } = await readExport(file, cwd)
  const liveMetadata = metadataTypesOf(document, NO_METADATA_RULES)
  return {
    async plan(models, settings, _, { base: sent } = {}) {
      const reading = readDocument(models.document, liveMetadata, access && settings.access)
      if (hasErrors(reading.diagnostics)) throw wrongModels(reading.diagnostics)
      // Records of types that the export leaves out may exist, so references to them are not reported.
      const external = reading.external.filter(({ type }) => isExported(snapshot, type))
      const diagnostics =
        access || settings.access === undefined ? reading.diagnostics : [...reading.diagnostics, UNKNOWN_ACCESS]
      const base = sent && baseSnapshot(models.document, sent)
      const live = fileLiveState(snapshot, reading.snapshot)
      return makePlan({ ...reading, external, diagnostics }, live, settings, base && { base })
    },
    export: () => Promise.resolve({ document, access: access ?? null }),
    apply: needsPlatform,
    history: needsPlatform,
    pastApply: needsPlatform,
    rollbackPlan: needsPlatform,
    close: () => Promise.resolve(),
  }
}

function baseSnapshot(document: JsonObject, { document: difference, settings }: SentBase): Base {
  const { access, moved, acknowledge } = settings
  const { snapshot } = readDocument(baseFrom(document, difference) ?? {}, NO_METADATA_RULES, access)
  return { snapshot, moved, acknowledge }
}

function isExported(snapshot: Snapshot, type: RecordTypeName): boolean {
  return (snapshot.get(type)?.coverage ?? 'none') !== 'none'
}

const UNKNOWN_ACCESS: Diagnostic = {
  severity: 'warning',
  code: 'access-not-compared',
  message: 'the export has no grants, so the plan cannot tell what happens to them; a platform can',
  pointer: `/${ACCESS}`,
}

interface ReadExport {
  readonly document: JsonObject
  /** Undefined if the export was made without grants. */
  readonly access: Settings['access']
  readonly snapshot: Snapshot
}

async function readExport(file: string, cwd: string): Promise<ReadExport> {
  const path = resolve(cwd, file)
  const bytes = await withFile('read', `--against ${file}`, () => readFile(path))
  const files = [{ path: shownPath(path, cwd), bytes }]
  const loaded = loadDocument(files, NO_REFERENCES, { secretFields: SECRET_FIELDS, isExport: true })
  const document = loaded.document as JsonObject
  const { access } = loaded.settings
  const { snapshot, diagnostics } = readDocument(document, NO_METADATA_RULES, access)
  const news = diagnostics.filter((finding) => loaded.isNews(finding))
  const found = inOrder([...loaded.diagnostics, ...locateDiagnostics(news, loaded)])
  if (!hasErrors(found)) return { document, access, snapshot }
  const message = `--against ${file}: it is not an export of a platform ("holdfast export > ${file}" writes one)`
  throw new HoldfastError('BAD_USER_INPUT', message, { details: found.filter(({ severity }) => severity === 'error') })
}

function needsPlatform(): Promise<never> {
  return Promise.reject(new HoldfastError('BAD_USER_INPUT', 'this needs a platform, not a file'))
}
