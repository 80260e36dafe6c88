import { HoldfastError } from '../../lib/errors.ts'
import { SETTINGS_FILE } from '../../documents/read/settings-file.ts'
import { accessYaml, documentYaml } from '../../documents/write/document-yaml.ts'
import { writtenForm } from '../../documents/write/written-form.ts'
import { DONE, type CommandResult } from '../../shell/exit-code.ts'
import { writeExport, MARK, modeline } from '../models/export-files.ts'
import type { Context, Io } from '../../shell/io.ts'
import type { ManagedExport } from '../models/managed-export.ts'
import { loadModels } from '../models/models.ts'
import { openTarget, withTarget } from '../target/open-target.ts'
import type { PlatformOptions } from '../../client/platform-address.ts'
import { progressOn } from '../../shell/progress.ts'
import { keepSecretReferences } from '../models/secret-references.ts'
import type { Export } from '../target/target.ts'
import { isDefaultAccess } from '../../records/types/grant.ts'
import { existsSync } from 'node:fs'
import { readFile, rename } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { JsonObject } from '../../lib/json.ts'
import { withFile, writeBeside } from '../file-error.ts'

export interface ExportOptions extends PlatformOptions {
  readonly models: string
  readonly format: 'yaml' | 'json'
  readonly out?: string
  readonly managed?: boolean
}

/** Writes the records of the platform as models. A plan of the result finds no changes. */
export async function exportModels(options: ExportOptions, context: Context): Promise<CommandResult> {
  const { io } = context
  if (options.out !== undefined && options.format === 'json') {
    throw new HoldfastError(
      'BAD_USER_INPUT',
      '--out writes YAML files; for JSON leave --out away and redirect the output',
    )
  }
  const progress = progressOn(io)
  try {
    const managed = options.managed === true ? await managedExport(options.models, io) : null
    const whole = await withTarget(openTarget(options, context, progress), (target) => {
      progress.step('Exporting')
      return target.export(managed?.wanted)
    })
    const exported = managed === null ? whole : managed.namedIn(whole)
    const document = keepSecretReferences(writtenForm(exported.document), options.models, io.cwd)
    progress.clear()
    const written = { ...exported, document }
    if (options.out !== undefined) await writeFiles(written, options.out, io)
    else writeOut(written, options.format, io)
    return DONE
  } finally {
    progress.clear()
  }
}

/** Loads the code that reads documents only if the export depends on the models. */
async function managedExport(models: string, io: Io): Promise<ManagedExport> {
  const { exportManagedBy } = await import('../models/managed-export.ts')
  return exportManagedBy(loadModels(models, io))
}

function writeOut({ document, access }: Export, format: ExportOptions['format'], { stdout, stderr }: Io): void {
  if (format === 'yaml') for (const text of exportYaml({ document, access })) stdout.write(text)
  else stdout.write(`${JSON.stringify(document, null, 2)}\n`)
  if (format === 'json' && access !== null && access.length > 0)
    stderr.write(
      `note: an import document has no place for grants, and there are ${access.length}; see --format yaml\n`,
    )
}

async function writeFiles({ document, access }: Export, directory: string, io: Io): Promise<void> {
  const { written, unchanged, left } = await writeExport(document, directory, io.cwd)
  const grants = access === null ? 'nothing' : await writeAccess(access, directory, io.cwd)
  const all = grants === 'written' ? [...written, SETTINGS_FILE] : written
  for (const name of all) io.stdout.write(`wrote ${directory}/${name}\n`)
  io.stdout.write(`${all.length} written, ${unchanged.length + (grants === 'unchanged' ? 1 : 0)} unchanged\n`)
  for (const name of left) {
    io.stderr.write(
      `warning: ${directory}/${name} is from an earlier export and was left as it is; remove it if you do not need it\n`,
    )
  }
  if (grants === 'foreign' && access !== null && access.length > 0) {
    io.stderr.write(
      `warning: ${directory}/${SETTINGS_FILE} was written by hand and stays as it is; these are the grants of the platform:\n${accessYaml(access)}`,
    )
  }
}

const GRANTS_NOTE = '# Grants. They are not part of the import document: in models they belong in holdfast.yaml.\n'

/**
 * Writes everything that the platform has into one text. Grants get a YAML document of their own, because the import
 * document has no key for them.
 */
function* exportYaml({ document, access }: Export): Generator<string> {
  yield* documentYaml(document)
  if (access !== null && access.length > 0 && !isDefaultAccess(access)) yield `---\n${GRANTS_NOTE}${accessYaml(access)}`
}

/** `foreign` means that there is a holdfast.yaml that no export wrote. It stays as it is. */
type AccessWritten = 'written' | 'unchanged' | 'foreign' | 'nothing'

/** Writes the grants next to exported models. Makes no file if there are no grants and no earlier file. */
async function writeAccess(access: readonly JsonObject[], directory: string, cwd: string): Promise<AccessWritten> {
  const root = resolve(cwd, directory)
  const path = join(root, SETTINGS_FILE)
  const shown = join(directory, SETTINGS_FILE)
  const earlier = existsSync(path) ? await withFile('read', shown, () => readFile(path, 'utf8')) : null
  if (earlier === null && access.length === 0) return 'nothing'
  if (earlier !== null && !earlier.includes(MARK)) return 'foreign'
  const text = `${modeline(root, 'settings')}${MARK}\n\n${accessYaml(access)}`
  if (text === earlier) return 'unchanged'
  await withFile('write', shown, async () => rename(await writeBeside(path, text), path))
  return 'written'
}
