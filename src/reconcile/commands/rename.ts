import { join } from 'node:path'
import { isSettingsFile, SETTINGS_FILE } from '../../documents/read/settings-file.ts'
import { readDocument } from '../../documents/read/read-document.ts'
import type { Renaming } from '../../documents/rename/new-key.ts'
import { renameIn, type RenamedFile } from '../../documents/rename/rename.ts'
import { counted } from '../../lib/counted.ts'
import { hasErrors, type Diagnostic } from '../../lib/diagnostic.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { didYouMean } from '../../lib/suggest.ts'
import { comparedKey, parentKey } from '../../records/identity.ts'
import { isDocumentTypeName, DOCUMENT_TYPE_NAMES } from '../../records/record-type.ts'
import { embeddedInto, recordType } from '../../records/registry.ts'
import { DONE, type CommandResult } from '../../shell/exit-code.ts'
import type { Context, Io } from '../../shell/io.ts'
import { commandLine } from '../../shell/terminal.ts'
import { readModels } from '../models/model-source.ts'
import { findingsOf } from '../models/model-findings.ts'
import { modelsIn, type Models } from '../models/models.ts'
import { replaceFiles } from '../models/replace-files.ts'
import { replacementOf, withTexts } from '../models/rewritten-files.ts'

export interface RenameOptions {
  readonly models: string
  readonly format: 'text' | 'json'
}

export interface RenameWords {
  readonly type: string
  readonly from: string
  readonly to: string
}

/** Renames a record in all files of the models, so that the next plan moves it with its links and data. */
export async function rename(words: RenameWords, options: RenameOptions, { io }: Context): Promise<CommandResult> {
  const source = readModels(options.models, io.cwd)
  const models = modelsIn(source, io)
  refuse(findingsOf(models), 'the models are not valid, so nothing was renamed')
  const renaming = renamingOf(words, models)
  const { files, problems } = renameIn(source.files, settingsPath(options.models), renaming)
  if (problems.length > 0) {
    const message = `nothing was renamed, because some places cannot be changed`
    throw new HoldfastError('BAD_USER_INPUT', message, { details: problems })
  }
  const made = modelsIn(withTexts(source, files), io)
  refuse(findingsOf(made), 'nothing was renamed: the models would not be valid any more')
  await replaceFiles(files.map((file) => replacementOf(file, source, io)))
  tell(renaming, files, options, io)
  return DONE
}

function settingsPath(models: string): string {
  return join(models, SETTINGS_FILE).replaceAll('\\', '/')
}

/** The renaming, after checking that it matches exactly one record and that no other record has the new name. */
function renamingOf({ type: typeWord, from: fromWord, to: toWord }: RenameWords, models: Models): Renaming {
  const type = typeOf(typeWord)
  const from = comparedKey(recordType(type), fromWord)
  const { snapshot } = readDocument(models.document)
  const keys = snapshot.get(type)?.records ?? new Map<string, unknown>()
  if (!keys.has(from)) throw new HoldfastError('NOT_FOUND', missing(type, from, [...keys.keys()]))
  const to = newKeyOf(type, from, comparedKey(recordType(type), toWord))
  if (to === from) throw new HoldfastError('BAD_USER_INPUT', `${type}/${from} is called that already`)
  if (keys.has(to)) {
    const message = `${type}/${to} is another record; choose an unused name, or remove that record first`
    throw new HoldfastError('CONFLICT', message)
  }
  return { type, from, to }
}

function typeOf(word: string): Renaming['type'] {
  if (!isDocumentTypeName(word)) {
    const message = `there is no record type ${JSON.stringify(word)}: it is one of ${DOCUMENT_TYPE_NAMES.join(', ')}.`
    throw new HoldfastError('BAD_USER_INPUT', message + didYouMean(word, DOCUMENT_TYPE_NAMES))
  }
  if (embeddedInto(word).length > 0)
    throw new HoldfastError(
      'BAD_USER_INPUT',
      `${word} have no name of their own: rename one of the two that are linked`,
    )
  return word
}

function missing(type: string, from: string, keys: readonly string[]): string {
  const within = keys.filter((key) => key.endsWith(`/${from}`))
  const meant = within.length > 0 ? ` There is ${within.join(' and ')}: give the whole key.` : didYouMean(from, keys)
  return `the models do not describe ${type}/${from}.${meant}`
}

/** The new key of a tree's node: the user gives it whole, or only its last part, below the same parent. */
function newKeyOf(type: Renaming['type'], from: string, to: string): string {
  const { tree, identity } = recordType(type)
  if (tree === undefined) return partsMatch(type, identity, to)
  const parent = parentKey(from)
  if (parentKey(to) === null && parent !== null) return `${parent}/${to}`
  if (parentKey(to) === parent) return to
  throw new HoldfastError(
    'BAD_USER_INPUT',
    `${to} is somewhere else in the tree: move it in the file, and say so in "moved"`,
  )
}

function partsMatch(type: string, identity: readonly string[], to: string): string {
  if (to.split('/').length === identity.length) return to
  const shape = identity.join('/')
  throw new HoldfastError(
    'BAD_USER_INPUT',
    `${JSON.stringify(to)} is no key of ${type}: write ${shape}, and ~1 for a slash in it`,
  )
}

function refuse(findings: readonly Diagnostic[], message: string): void {
  if (!hasErrors(findings)) return
  throw new HoldfastError('BAD_USER_INPUT', message, {
    details: findings.filter(({ severity }) => severity === 'error'),
  })
}

function tell(renaming: Renaming, files: readonly RenamedFile[], { format, models }: RenameOptions, io: Io): void {
  const { type, from, to } = renaming
  const shown = files.map(({ path, places }) => ({ path, places }))
  if (format === 'json') return io.stdout.write(`${JSON.stringify({ type, from, to, files: shown }, null, 2)}\n`)
  for (const { path, places } of shown) {
    const what = places === 0 ? [] : [counted(places, 'place')]
    const entry = isSettingsFile({ path }) ? ['the entry below moved'] : []
    io.stdout.write(`wrote ${path}: ${[...what, ...entry].join(' and ')}\n`)
  }
  io.stdout.write(`Renamed ${type}: ${from} → ${to}\n`)
  const rest = models === 'models' ? [] : ['--models', models]
  io.stderr.write(`Look at it: ${commandLine(io.env, 'plan', ...rest)}\n`)
}
