import { HoldfastError } from '../../lib/errors.ts'
import { documentYaml, writtenForm } from '../document-text.ts'
import { DONE, type Ending } from '../exit-code.ts'
import { writeExport } from '../export-files.ts'
import type { Context, Io } from '../io.ts'
import { managedTypes } from '../managed-types.ts'
import { loadModels } from '../models.ts'
import { openTarget, withTarget, type PlatformOptions } from '../open-target.ts'
import { progressOn } from '../progress.ts'
import { keepSecretReferences } from '../secret-references.ts'
import type { JsonObject } from '../../lib/json.ts'

export interface ExportOptions extends PlatformOptions {
  readonly models: string
  readonly format: 'yaml' | 'json'
  readonly out?: string
  readonly managed?: boolean
}

/** Writes what lives on the platform as models: a plan of the result finds no changes. */
export async function exportModels(options: ExportOptions, context: Context): Promise<Ending> {
  const { io } = context
  if (options.out !== undefined && options.format === 'json') {
    throw new HoldfastError(
      'BAD_USER_INPUT',
      '--out writes YAML files; for JSON leave --out away and redirect the output',
    )
  }
  const progress = progressOn(io)
  try {
    const document = await withTarget(openTarget(options, context, progress), (target) => {
      progress.step('Exporting')
      return options.managed === true
        ? target.exportDocument(managedTypes(loadModels(options.models, io)))
        : target.exportDocument()
    })
    const written = keepSecretReferences(writtenForm(document), options.models, io.cwd)
    progress.clear()
    if (options.out !== undefined) await writeFiles(written, options.out, io)
    else for (const text of documentText(written, options.format)) io.stdout.write(text)
    return DONE
  } finally {
    progress.clear()
  }
}

function documentText(document: JsonObject, format: ExportOptions['format']): Iterable<string> {
  return format === 'json' ? [`${JSON.stringify(document, null, 2)}\n`] : documentYaml(document)
}

async function writeFiles(document: JsonObject, directory: string, { stdout, stderr, cwd }: Io): Promise<void> {
  const { written, unchanged, left } = await writeExport(document, directory, cwd)
  for (const name of written) stdout.write(`wrote ${directory}/${name}\n`)
  stdout.write(`${written.length} written, ${unchanged.length} unchanged\n`)
  for (const name of left) {
    stderr.write(
      `warning: ${directory}/${name} is from an earlier export and was left as it is; remove it if you do not need it\n`,
    )
  }
}
