import { identifierOf } from '../../../platform/access/clients/clients.ts'
import { recordDocument } from '../../../platform/imports/export-document.ts'
import type { StoredRecord } from '../../../store/model/records.ts'
import { html } from '../../../server/html.ts'
import type { Crumb, View, Visit } from '../../page.ts'
import { block, code } from '../../parts/block.ts'
import { secret } from '../../parts/secret.ts'
import { yamlBlock } from '../model/record-yaml.ts'

/** The secret of a consumer, on its page, right after the form that has made it. */
export async function secretView(
  { origin, context }: Pick<Visit, 'origin' | 'context'>,
  record: StoredRecord,
  text: string,
  crumbs: readonly Crumb[],
): Promise<View> {
  const document = await recordDocument(context, record)
  const identifier = identifierOf(record)
  return {
    title: String(record.body['name']),
    crumbs,
    place: [html`client_id <code>${identifier}</code>`],
    body: secret({
      label: 'Client secret',
      text,
      done: `/application-consumers/${encodeURIComponent(record.key)}`,
      next: html`${block({
        title: 'Does it work?',
        note: 'the answer names the error: invalid_client means the secret, unsupported_grant_type does not',
        body: code('try', `curl -u '${identifier}:…' -d grant_type=client_credentials ${origin}/authenticate/token`),
      })}
      ${yamlBlock(document, { title: 'In Git', note: 'with the secret in the environment of the apply, never in the file' })}`,
    }),
  }
}
