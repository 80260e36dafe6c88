import validators from '../../../generated/validators.cjs'
import schema from '../../../schemas/settings.schema.json' with { type: 'json' }
import type { Diagnostic } from '../../lib/diagnostic.ts'
import { isObject } from '../../lib/json.ts'
import { fromPointer, isWithin, toPointer } from '../../lib/pointer.ts'
import { comparedKey } from '../../records/identity.ts'
import { recordType } from '../../records/registry.ts'
import { schemaDiagnostics } from '../../records/schema-findings/schema-error.ts'
import {
  IMPOSSIBLE_MOVE,
  leadsNowhere,
  MOVE_TO_ITSELF,
  moveText,
  NO_SETTINGS,
  type Move,
  type Settings,
} from '../../records/settings.ts'
import { locatedDiagnostics, type FileFinding, type SettingsLocation } from './file-positions.ts'
import type { FoundAccess } from './merge.ts'
import type { ReadFile, SourceFile } from './read-file.ts'
import { ACCESS, type RecordTypeName } from '../../records/record-type.ts'

export const SETTINGS_FILE = 'holdfast.yaml'
const MISNAMED = ['holdfast.yml', 'holdfast.json']

export function isSettingsFile({ path }: Pick<SourceFile, 'path'>): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return name === SETTINGS_FILE || MISNAMED.includes(name)
}

export interface ReadSettings {
  readonly settings: Settings
  readonly diagnostics: readonly Diagnostic[]
  /** The file and the document of the settings; left out if there are none. */
  readonly location?: SettingsLocation
}

/** Reads the settings from the one file that may contain them. After errors, only the sound keys are returned. */
export function readSettingsFiles(files: readonly ReadFile[], maxDepth: number): ReadSettings {
  const reading = files.flatMap(({ diagnostics }) => diagnostics)
  const findings = [...files.flatMap(misnamed), ...files.slice(1).map((file) => severalFiles(file, files[0]))]
  const [file] = files
  const written = file?.documents.find((document) => document !== null)
  if (file === undefined || written === undefined || findings.length > 0)
    return { settings: NO_SETTINGS, diagnostics: [...reading, ...locatedDiagnostics(findings, maxDepth)] }
  const document = file.documents.indexOf(written)
  const root = withoutBareLists(written)
  if (file.documents.length > 1)
    findings.push(finding(file, 'several-settings', `${SETTINGS_FILE} holds one document; remove the line ---.`))
  const wrong = [...(validators.settings(root) ? [] : invalid(file, document, root)), ...unfilled(file, document, root)]
  const settings = settingsOf(soundSettings(root, wrong))
  const idle = settings.moved.flatMap((move, index) =>
    leadsNowhere(move) ? [idleMove(file, document, move, index)] : [],
  )
  return {
    settings,
    diagnostics: [...reading, ...locatedDiagnostics([...findings, ...wrong, ...idle], maxDepth)],
    location: { file: file.source, document },
  }
}

/** Removes keys without a value, such as a list whose entries are all commented out. */
function withoutBareLists(root: unknown): unknown {
  if (!isObject(root)) return root
  return Object.fromEntries(
    Object.entries(root).filter(([key, value]) => value !== null || !['acknowledge', 'protect', 'moved'].includes(key)),
  )
}

/** Finds empty reasons, and placeholders that the plan printed. */
function unfilled({ source }: ReadFile, document: number, root: unknown): FileFinding[] {
  const entries = isObject(root) && Array.isArray(root['acknowledge']) ? root['acknowledge'] : []
  return entries.flatMap((entry: unknown, index): FileFinding[] => {
    const reason = isObject(entry) ? entry['reason'] : undefined
    if (typeof reason !== 'string' || !/^[\s.…]*$/.test(reason)) return []
    const path = ['acknowledge', String(index), 'reason']
    const message = `the reason ${JSON.stringify(reason)} is empty or a placeholder; explain to the reviewers why this is intended.`
    return [{ file: source, document, path, severity: 'error', code: 'no-reason', message, pointer: toPointer(path) }]
  })
}

function soundSettings(root: unknown, wrong: readonly FileFinding[]): Partial<Settings> {
  if (!isObject(root)) return NO_SETTINGS
  const flawed = new Set(wrong.map(({ path }) => path[0]))
  return Object.fromEntries(Object.entries(root).filter(([key]) => !flawed.has(key)))
}

/** Reads the grants of an export in the same way as the grants of holdfast.yaml. */
export function readExportedAccess({ values, location }: FoundAccess, maxDepth: number): ReadSettings {
  const settings: unknown = { [ACCESS]: values }
  if (validators.settings(settings)) return { settings: settingsOf(settings), diagnostics: [], location }
  const findings = schemaDiagnostics(validators.settings.errors ?? [], settings, schema).map(
    ({ severity, code, message, pointer }) => ({
      ...location,
      path: fromPointer(pointer),
      severity,
      code,
      message,
      pointer,
    }),
  )
  return { settings: NO_SETTINGS, diagnostics: locatedDiagnostics(findings, maxDepth) }
}

/** The settings without keys for editors, and with canonical keys of records. */
export function settingsOf(written: Partial<Settings>): Settings {
  const { acknowledge, protect, moved, access, owner } = { ...NO_SETTINGS, ...written }
  return {
    acknowledge: acknowledge.map((one) =>
      one.key === undefined ? one : { ...one, key: comparedKeyOf(one.type, one.key) },
    ),
    protect: protect.map((one) => ({ ...one, key: comparedKeyOf(one.type, one.key) })),
    moved: moved.map(({ type, from, to }) => ({ type, from: comparedKeyOf(type, from), to: comparedKeyOf(type, to) })),
    ...(access !== undefined && { access }),
    ...(owner !== undefined && { owner }),
  }
}

function comparedKeyOf(type: RecordTypeName, key: string): string {
  return comparedKey(recordType(type), key)
}

function finding({ source }: ReadFile, code: string, message: string): FileFinding {
  return { file: source, document: 0, path: [], severity: 'error', code, message }
}

function idleMove({ source }: ReadFile, document: number, move: Move, index: number): FileFinding {
  const path = ['moved', String(index)]
  const message = moveText(move, MOVE_TO_ITSELF)
  return { file: source, document, path, pointer: toPointer(path), severity: 'error', code: IMPOSSIBLE_MOVE, message }
}

function misnamed(file: ReadFile): FileFinding[] {
  if (file.source.path.endsWith(SETTINGS_FILE)) return []
  return [finding(file, 'settings-file-name', `settings are read from ${SETTINGS_FILE} only; rename this file.`)]
}

function severalFiles(file: ReadFile, first: ReadFile | undefined): FileFinding {
  const message = `there can be one ${SETTINGS_FILE} only, and ${first?.source.path} is one too; put everything into one of them.`
  return finding(file, 'several-settings', message)
}

function invalid(file: ReadFile, document: number, root: unknown): FileFinding[] {
  const values = file.damaged.filter((value) => value.document === document)
  const damaged = new Set(values.map(({ path }) => toPointer(path)))
  return schemaDiagnostics(validators.settings.errors ?? [], root, schema)
    .filter(({ pointer }) => !isWithin(pointer, damaged))
    .map(({ severity, code, message, pointer }) => {
      return { file: file.source, document, path: fromPointer(pointer), severity, code, message, pointer }
    })
}
