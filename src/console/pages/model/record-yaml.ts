import type { JsonObject } from '../../../lib/json.ts'
import { documentYaml } from '../../../documents/write/document-yaml.ts'
import { writtenForm } from '../../../documents/write/written-form.ts'
import type { Html } from '../../../server/html.ts'
import { block, code } from '../../parts/block.ts'

/** The record as YAML, for copying into a model. */
export function yamlBlock(
  document: JsonObject,
  { title, note } = { title: 'YAML', note: 'to paste into models' },
): Html {
  const text = [...documentYaml(writtenForm(document))].join('').trimEnd()
  return block({
    title,
    note,
    body: code('yaml', text),
  })
}
