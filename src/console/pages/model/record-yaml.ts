import type { JsonObject } from '../../../lib/json.ts'
import { documentYaml, writtenForm } from '../../../reconcile/models/document-text.ts'
import { html, type Html } from '../../../server/html.ts'
import { block } from '../../parts/block.ts'

/** The record as models describe it, to paste. */
export function yamlBlock(document: JsonObject): Html {
  const text = [...documentYaml(writtenForm(document))].join('').trimEnd()
  return block({
    title: 'YAML',
    note: 'to paste into models',
    body: html`<div class="paste after">
      <button type="button" class="button" data-copy="yaml">Copy</button>
      <pre class="code" tabindex="0" id="yaml">${text}</pre>
    </div>`,
  })
}
