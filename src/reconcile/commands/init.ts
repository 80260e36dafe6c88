import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import packageJson from '../../../package.json' with { type: 'json' }
import { counted } from '../../lib/counted.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { writtenForm } from '../../documents/write/written-form.ts'
import { DONE, type CommandResult } from '../../shell/exit-code.ts'
import { writeExport } from '../models/export-files.ts'
import { ownSource, DEPENDABOT, parseActionSource, workflowText, type ActionSource } from '../init/workflow-text.ts'
import { EXAMPLE_MODELS, EXAMPLE_SETTINGS } from '../init/example-models.ts'
import { EDITOR_EXTENSIONS, EDITOR_SETTINGS, IGNORED, readmeText } from '../init/repository-texts.ts'
import { PIPELINE_FILES, pipelineText, type Forge } from '../init/other-forges.ts'
import { writeNew, type NewFile } from '../init/write-new.ts'
import type { Context, Io } from '../../shell/io.ts'
import { gitLine } from '../models/git.ts'
import { readModels } from '../models/model-source.ts'
import { openTarget, withTarget } from '../target/open-target.ts'
import { platformUrl, type PlatformOptions } from '../../client/platform-address.ts'
import { progressOn } from '../../shell/progress.ts'
import { commandLine, quoteWord } from '../../shell/terminal.ts'

export interface InitOptions extends PlatformOptions {
  readonly fromPlatform?: boolean
  readonly action?: string
  readonly gitlab?: boolean
  readonly gitea?: boolean
  readonly format: 'text' | 'json'
}

const MODELS = 'models'

/** Writes a repository of models that works at once. Files that exist are left as they are. */
export async function init(directory: string, options: InitOptions, context: Context): Promise<CommandResult> {
  const { io } = context
  const root = resolve(io.cwd, directory)
  const forge = forgeOf(options)
  // An invalid address is refused before anything is written.
  platformUrl(options, io.env)
  const source = options.action === undefined ? await ownSource(io.env) : parseActionSource(options.action)
  const hasModels = holdsModels(root, io)
  // The export comes first. If the platform cannot be reached, no half of a repository is left.
  const exported = options.fromPlatform === true && !hasModels ? await exportFrom(options, context) : null
  const example = exported === null && !hasModels ? [{ path: `${MODELS}/rooms.yaml`, text: EXAMPLE_MODELS }] : []
  const files = [
    ...repositoryFiles(forge, source !== null || existsSync(join(root, PIPELINE_FILES[forge]))),
    ...workflowFiles(source, options, io),
    ...example,
  ]
  const made: Made = { written: [], kept: [] }
  for (const file of files) {
    const isNew = await writeNew(root, directory, file)
    made[isNew ? 'written' : 'kept'].push(join(directory, file.path))
  }
  if (exported !== null) {
    const { written } = await writeExport(exported, join(directory, MODELS), io.cwd)
    made.written.push(...written.map((name) => join(directory, MODELS, name)))
  }
  io.stdout.write(options.format === 'json' ? `${JSON.stringify(made, null, 2)}\n` : textOf(made))
  const isMissing = !existsSync(join(root, PIPELINE_FILES[forge]))
  const branch = await gitLine(root, io.env, ['symbolic-ref', '--quiet', '--short', 'HEAD'])
  if (!isMissing && branch !== undefined && branch !== 'main')
    io.stderr.write(
      `The jobs apply pushes to main. If the models are kept on another branch, such as ${branch}, name it in ${PIPELINE_FILES[forge]}.\n`,
    )
  io.stderr.write(adviceOnIgnored(root, directory) + advice(directory, options, isMissing, hasModels, io))
  return DONE
}

interface Made {
  readonly written: string[]
  readonly kept: string[]
}

function textOf({ written, kept }: Made): string {
  const lines = [...written.map((path) => `wrote ${path}`), ...kept.map((path) => `kept  ${path}`)]
  return [...lines, `${counted(written.length, 'file')} written, ${kept.length} kept`, ''].join('\n')
}

function holdsModels(root: string, { cwd }: Io): boolean {
  if (!existsSync(join(root, MODELS))) return false
  try {
    return readModels(join(root, MODELS), cwd).files.some(({ path }) => !path.endsWith('/holdfast.yaml'))
  } catch (error) {
    // The directory has no models.
    if (error instanceof HoldfastError) return false
    throw error
  }
}

async function exportFrom(options: InitOptions, context: Context) {
  const progress = progressOn(context.io)
  try {
    return await withTarget(openTarget(options, context, progress), async (target) => {
      progress.step('Exporting')
      return writtenForm((await target.export()).document)
    })
  } finally {
    progress.clear()
  }
}

/** The forge to write the pipeline for; GitHub by default. */
function forgeOf({ gitlab, gitea }: InitOptions): Forge {
  if (gitlab === true && gitea === true)
    throw new HoldfastError('BAD_USER_INPUT', '--gitlab and --gitea exclude each other')
  return gitlab === true ? 'gitlab' : gitea === true ? 'gitea' : 'github'
}

function repositoryFiles(forge: Forge, hasPipeline: boolean): NewFile[] {
  return [
    { path: 'README.md', text: readmeText(forge, hasPipeline) },
    { path: '.gitignore', text: IGNORED },
    { path: '.vscode/settings.json', text: EDITOR_SETTINGS },
    { path: '.vscode/extensions.json', text: EDITOR_EXTENSIONS },
    ...['import-document', 'settings'].map((name) => schemaFile(`schemas/${name}.schema.json`)),
    { path: `${MODELS}/holdfast.yaml`, text: EXAMPLE_SETTINGS },
  ]
}

function schemaFile(path: string): NewFile {
  return { path, text: readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8') }
}

function workflowFiles(source: ActionSource | null, options: InitOptions, io: Io): NewFile[] {
  if (source === null) return []
  const forge = forgeOf(options)
  const url = platformUrl(options, io.env)
  if (forge !== 'github') return [{ path: PIPELINE_FILES[forge], text: pipelineText(forge, source, url) }]
  const { version } = packageJson
  return [
    { path: PIPELINE_FILES.github, text: workflowText(source, version, url) },
    { path: '.github/dependabot.yml', text: DEPENDABOT },
  ]
}

const LACKING: { readonly [forge in Forge]: string } = {
  github: 'No workflows: where GitHub finds this Holdfast is not known.',
  gitlab: `No ${PIPELINE_FILES.gitlab}: where GitLab's jobs get this Holdfast from is not known.`,
  gitea: `No ${PIPELINE_FILES.gitea}: where the jobs get this Holdfast from is not known.`,
}

function advice(directory: string, options: InitOptions, lacksPipeline: boolean, hasModels: boolean, io: Io): string {
  const lines = []
  if (lacksPipeline) lines.push(`${LACKING[forgeOf(options)]} Run it again with --action owner/name@commit.`)
  if (hasModels && options.fromPlatform === true) {
    lines.push(
      `Nothing was exported: ${join(directory, MODELS)} holds models already; "export --out" writes them elsewhere.`,
    )
  }
  lines.push(`Look at it: ${nextCommand(directory, options, io)}`)
  return `${lines.join('\n')}\n`
}

/** Warns that an existing `.gitignore` stays as it is and may let secrets into Git. */
function adviceOnIgnored(root: string, directory: string): string {
  const path = join(root, '.gitignore')
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true
  const lines = isFile ? readFileSync(path, 'utf8').split(/\r?\n/) : []
  const isIgnored = lines.some((line) => /^(\*\*)?\/?(\.env|\.env\*|\*\.env)$/.test(line.trimEnd()))
  return isIgnored ? '' : `Add .env to ${join(directory, '.gitignore')}: the file may hold secrets.\n`
}

/** Omits the npm script if the command runs elsewhere, because npm runs scripts only in the directory of Holdfast. */
function nextCommand(directory: string, { url, dataDir }: InitOptions, { env, cwd }: Io): string {
  const local = dataDir === undefined ? [] : ['--data-dir', resolve(cwd, dataDir)]
  const platform = url === undefined ? local : ['--url', url]
  const here = commandLine(env, 'plan', ...platform)
  if (directory === '.') return here
  if (!here.startsWith('npm ')) return `cd ${quoteWord(directory)}, then ${here}`
  const target = platform.length === 0 ? ['--data-dir', join(directory, '.holdfast')] : platform
  return commandLine(env, 'plan', '--models', join(directory, MODELS), ...target)
}
