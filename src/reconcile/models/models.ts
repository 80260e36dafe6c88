import { resolve } from 'node:path'
import { loadDocument } from '../../documents/read/load.ts'
import type { LoadedDocument } from '../../documents/read/loaded-document.ts'
import { inOrder } from '../../documents/locate-diagnostics.ts'
import { isSettingsFile } from '../../documents/read/settings-file.ts'
import { hasErrors, type Diagnostic } from '../../lib/diagnostic.ts'
import { HoldfastError } from '../../lib/errors.ts'
import type { JsonObject } from '../../lib/json.ts'
import { NO_SETTINGS, type Settings } from '../../records/settings.ts'
import type { Io } from '../../shell/io.ts'
import { MODEL_FILE, NoDirectoryError, readModels, type ModelSource } from './model-source.ts'
import { modelResolver, type ReadingPlace } from './reference-resolver.ts'
import { SECRET_FIELDS } from '../../documents/secret-fields.ts'

/** The models of a directory: read, merged, and with resolved references. */
export interface Models extends LoadedDocument {
  readonly document: LoadedDocument['document'] & JsonObject
  /** The absolute path. */
  readonly directory: string
  /** The real paths of all files that were read, including files behind links and references. */
  read(): readonly string[]
  /** The references in the files, as `env:NAME` and `file:PATH in FILE`. */
  readonly references: ReadonlySet<string>
}

export function loadModels(directory: string, io: ReadingPlace): Models {
  return modelsIn(readModels(directory, io.cwd), io)
}

/** Makes the models from files that were read. If `known` is given, every other reference stays unresolved. */
export function modelsIn(source: ModelSource, place: ReadingPlace, known?: ReadonlySet<string>): Models {
  const resolver = modelResolver(source.directory, place, known)
  const loaded = loadDocument(source.files, resolver, { secretFields: SECRET_FIELDS })
  const diagnostics = [...source.diagnostics, ...resolver.refused, ...loaded.diagnostics]
  return {
    get document() {
      return loaded.document as Models['document']
    },
    text: () => loaded.text(),
    settings: loaded.settings,
    records: loaded.records,
    files: loaded.files,
    diagnostics: inOrder(diagnostics),
    isNews: (found) => loaded.isNews(found),
    mayBeUnread: (key) => hasErrors(source.diagnostics) || loaded.mayBeUnread(key),
    locate: (pointers) => loaded.locate(pointers),
    fileOf: (pointer) => loaded.fileOf(pointer),
    directory: source.directory,
    read: () => [...source.real, ...resolver.read],
    references: resolver.asked,
  }
}

/** Loads only the settings among the models; empty settings if there are none, or no directory. */
export function loadSettings(directory: string, io: Pick<Io, 'cwd' | 'env'>): Settings {
  const source = settingsSource(directory, io.cwd)
  if (hasErrors(source.diagnostics)) throw wrongModels(source.diagnostics)
  if (source.files.length === 0) return NO_SETTINGS
  const resolver = modelResolver(resolve(io.cwd, directory), io)
  const { settings, diagnostics } = loadDocument(source.files, resolver, { secretFields: SECRET_FIELDS })
  if (hasErrors(diagnostics)) throw wrongModels(diagnostics)
  return settings
}

function settingsSource(directory: string, cwd: string): Pick<ModelSource, 'files' | 'diagnostics'> {
  try {
    const { files, diagnostics } = readModels(directory, cwd, isSettingsFile)
    // Beside a settings file, a directory that cannot be read holds nothing for this.
    const isMissed = ({ file = '' }: Diagnostic) =>
      isSettingsFile({ path: file }) || (files.length === 0 && !MODEL_FILE.test(file))
    return { files, diagnostics: diagnostics.filter(isMissed) }
  } catch (error) {
    if (error instanceof NoDirectoryError) return { files: [], diagnostics: [] }
    throw error
  }
}

export function wrongModels(diagnostics: readonly Diagnostic[]): HoldfastError {
  const count = diagnostics.filter(({ severity }) => severity === 'error').length
  const message = `the models have ${count} error${count === 1 ? '' : 's'}; nothing was planned`
  return new HoldfastError('BAD_USER_INPUT', message, { details: diagnostics })
}
