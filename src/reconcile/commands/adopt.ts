import { platformName, samePlatform, shownPlatform, type PlatformOptions } from '../../client/platform-address.ts'
import { hasErrors } from '../../lib/diagnostic.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { isJsonObject, isJsonList, type Json } from '../../lib/json.ts'
import { changedFields } from '../../plan/compare/revert-fields.ts'
import { allChanges, type Plan } from '../../plan/plan.ts'
import { recordName } from '../../plan/render/change-notes.ts'
import { keyOf } from '../../records/identity.ts'
import { recordId } from '../../records/record-id.ts'
import { isDocumentTypeName, type RecordType } from '../../records/record-type.ts'
import { recordType } from '../../records/registry.ts'
import { GENERATED } from '../../records/secret.ts'
import { SecretVariables } from '../../records/secret-variables.ts'
import { DONE, type CommandResult } from '../../shell/exit-code.ts'
import type { Context, Io } from '../../shell/io.ts'
import { progressOn, type Progress } from '../../shell/progress.ts'
import { confirm, requireConsent } from '../../shell/question.ts'
import { paint } from '../../lib/styled-line.ts'
import { commandLine, textStyle } from '../../shell/terminal.ts'
import { chooseAdoptions, type Adoption } from '../adopt/adoptions.ts'
import { adoptionJson, adoptionText, leftLines, type AdoptionResult } from '../adopt/adopt-text.ts'
import { editFiles } from '../adopt/edit-files.ts'
import type { PreparedAdoption } from '../adopt/open-adoption.ts'
import { sameModels } from '../apply/show-plan.ts'
import { withoutCommands } from '../forge/workflow-commands.ts'
import { findingsOf } from '../models/model-findings.ts'
import { readModels, type ModelSource } from '../models/model-source.ts'
import { modelsIn, type Models } from '../models/models.ts'
import { planModels } from '../models/plan-models.ts'
import { refuseErrors } from '../models/refuse-errors.ts'
import { replaceFiles, type Replacement } from '../models/replace-files.ts'
import { replacementOf, withTexts } from '../models/rewritten-files.ts'
import { openTarget, withTarget } from '../target/open-target.ts'
import type { Target } from '../target/target.ts'

export interface AdoptOptions extends PlatformOptions {
  readonly models: string
  readonly format: 'text' | 'json'
  readonly field: readonly string[]
  readonly yes?: boolean
  readonly dryRun?: boolean
  readonly pullRequest?: boolean
}

/**
 * Writes changes that somebody made on the platform into the files of the models, so that the next plan agrees with the
 * platform.
 */
export async function adopt(
  records: readonly string[],
  options: AdoptOptions,
  context: Context,
): Promise<CommandResult> {
  const { io } = context
  requireConsent(options.yes === true || options.dryRun === true, io, 'give --yes, or --dry-run')
  const progress = progressOn(io)
  try {
    progress.step(`Reading ${options.models}`)
    const source = readModels(options.models, io.cwd)
    const models = modelsIn(source, io)
    await refuseErrors(models)
    const result = await withTarget(openTarget(options, context, progress), (target) =>
      prepare(records, { options, source, models, target, progress }, io),
    )
    progress.clear()
    return await carryOut(result, source, options, io)
  } finally {
    progress.clear()
  }
}

interface Preparing {
  readonly options: AdoptOptions
  readonly source: ModelSource
  readonly models: Models
  readonly target: Target
  readonly progress: Progress
}

/** Edits the files in memory, and plans them again: the new plan must agree with everything that was adopted. */
async function prepare(
  records: readonly string[],
  { options, source, models, target, progress }: Preparing,
  io: Io,
): Promise<AdoptionResult> {
  progress.step('Comparing')
  const plan = await planModels(models, models.settings, target, 'all')
  const chosen = chooseAdoptions(plan, { records, fields: options.field })
  const edited = editFiles(chosen, source.files, await secretsOf(chosen.adoptions, models, target))
  const result = { ...edited, left: [...chosen.left, ...edited.left] }
  if (result.files.length === 0) return result
  const missing = result.left.map((one) => `not adopted: ${recordName(one)}: ${one.reason}`)
  // The values of other references were never meant for this platform.
  const made = modelsIn(withTexts(source, result.files), io, models.references)
  const findings = findingsOf(made)
  if (hasErrors(findings)) {
    const message =
      'nothing was written: without what cannot be adopted, the models would not be valid any more; adopt other changes'
    const errors = findings.filter(({ severity }) => severity === 'error')
    throw new HoldfastError('BAD_USER_INPUT', message, { details: [...missing, ...errors] })
  }
  progress.step('Checking')
  const wrong = notAdopted(result.adopted, await planModels(made, made.settings, target, 'all'))
  if (wrong.length === 0) return result
  const message =
    'nothing was written: the plan would still differ in these records; somebody may have changed them meanwhile, so try again'
  throw new HoldfastError('CONFLICT', message, { details: [...wrong.map(recordName), ...missing] })
}

/**
 * The references for the secrets of new records. Their names are made here: nothing that a platform sends may become a
 * reference, because the next plan would look it up and send its value.
 */
async function secretsOf(
  adoptions: readonly Adoption[],
  { references }: Models,
  target: Target,
): Promise<ReadonlyMap<string, string>> {
  const added = adoptions.filter(({ action, type }) => action === 'add' && recordType(type).secret !== undefined)
  const types = [...new Set(added.map(({ type }) => type))].filter(isDocumentTypeName)
  if (types.length === 0) return new Map()
  const { document } = await target.export({ types, access: false })
  const generated = new Set(types.flatMap((name) => generatedIn(document[name], recordType(name))))
  const variables = new SecretVariables([...references].map((reference) => reference.replace(/^env:/, '')))
  return new Map(
    added.map((one) => {
      const isGenerated = generated.has(recordId(one))
      return [recordId(one), isGenerated ? GENERATED : variables.referenceFor(recordType(one.type), one.key)]
    }),
  )
}

/** The exported records whose secrets the platform makes. */
function generatedIn(list: Json | undefined, type: RecordType): string[] {
  const records = isJsonList(list) ? list.filter(isJsonObject) : []
  const found = records.filter((record) => record[type.secret ?? ''] === GENERATED)
  return found.map((record) => recordId({ type: type.name, key: keyOf(type, record) }))
}

/** The changes that a plan of the edited files still finds. */
function notAdopted(adopted: readonly Adoption[], { changes, access, drift = [] }: Plan): readonly Adoption[] {
  const rest = new Map(allChanges({ changes, access }).map((change) => [recordId(change), change]))
  const isLeft = (adoption: Adoption) => {
    const change = rest.get(recordId(adoption))
    if (change === undefined) return false
    const fields = changedFields(change.before, change.after).map((name) => name.split('/')[0])
    return adoption.action !== 'change' || adoption.fields.some(({ name }) => fields.includes(name))
  }
  const open = new Set(drift.map(({ type, key, field }) => `${recordId({ type, key })} ${field}`))
  const isOpen = (one: Adoption) => one.fields.some(({ name }) => open.has(`${recordId(one)} ${name}`))
  return adopted.filter((one) => isLeft(one) || isOpen(one))
}

/** Shows the changes of the files, asks, and writes them or opens a pull request. */
async function carryOut(
  result: AdoptionResult,
  source: ModelSource,
  options: AdoptOptions,
  io: Io,
): Promise<CommandResult> {
  const { files, left } = result
  const isJson = options.format === 'json'
  const tell: Tell = (outcome, text, pullRequest = null) =>
    io.stdout.write(isJson ? adoptionJson(outcome, result, pullRequest) : text)
  const { color } = textStyle(io)
  if (files.length === 0) {
    tell('nothing', `Nothing to adopt.\n${left.length > 0 ? `${paint(leftLines(left), color)}\n` : ''}`)
    return DONE
  }
  const replacements = files.map((file) => replacementOf(file, source, io))
  const request = options.pullRequest === true ? await preparePullRequest(result, replacements, options, io) : null
  const shown = withoutCommands(adoptionText(result, shownPlatform(options, io), color), io.env)
  if (!isJson) io.stdout.write(shown)
  else if (options.yes !== true) io.stderr.write(shown)
  if (request?.existing) {
    tell('opened', `A pull request with these changes is open already: ${request.existing.url}\n`, request.existing)
    return DONE
  }
  const question = request === null ? 'Write this?' : `Open a pull request at ${request.repository}?`
  const agreed = options.dryRun !== true && (options.yes === true || (await confirm(question, io)))
  if (!agreed) {
    tell(options.dryRun === true ? 'previewed' : 'declined', 'Nothing was written.\n')
    return options.dryRun === true ? DONE : { kind: 'declined' }
  }
  if (request === null) await write(replacements, options, tell, io)
  else {
    const opened = await request.open(platformName(options, io.env))
    tell('opened', `Opened ${opened.url} from the branch ${opened.branch}; no file here was changed\n`, opened)
  }
  return DONE
}

type Tell = (outcome: string, text: string, pullRequest?: object | null) => void

/** Loads the code that opens pull requests only if one was requested. */
async function preparePullRequest(
  result: AdoptionResult,
  files: readonly Replacement[],
  { models }: AdoptOptions,
  io: Io,
): Promise<PreparedAdoption> {
  const { prepareAdoption } = await import('../adopt/open-adoption.ts')
  return prepareAdoption(result, files, models, io)
}

async function write(files: readonly Replacement[], options: AdoptOptions, tell: Tell, io: Io): Promise<void> {
  await replaceFiles(files)
  tell('adopted', files.map(({ path }) => `wrote ${path}\n`).join(''))
  const words = [...sameModels(options), ...samePlatform(options)]
  if (options.format === 'text') io.stderr.write(`Look at it: ${commandLine(io.env, 'plan', ...words)}\n`)
}
