import { organizationOf } from '../../records/types/user.ts'
import type { JsonObject } from '../../lib/json.ts'
import { html, type Html } from '../../server/html.ts'
import type { Filled } from '../form.ts'
import { textField } from '../parts/fields.ts'
import type { ShownValues } from '../shown-with.ts'

export function userFields(filled: Filled): Html {
  return html`${textField(filled, { name: 'name', label: 'Name', hint: 'As people know them.' })}
  ${textField(filled, {
    name: 'organization',
    label: 'Organization',
    hint: 'Its alias. Empty: none.',
    isCode: true,
  })}`
}

/** The record of a user from the fields, as an import document writes it. */
export function userOf(filled: Filled): JsonObject {
  const [name, alias] = [filled.text('name'), filled.text('organization')]
  return { name: name === '' ? null : name, organization: alias === '' ? null : { alias } }
}

/** The values of the fields for a stored user. */
export function shownOfUser(body: JsonObject): ShownValues {
  const { name } = body
  return { name: typeof name === 'string' ? name : '', organization: organizationOf(body) ?? '' }
}
