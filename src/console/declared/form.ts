import { HoldfastError } from '../../lib/errors.ts'
import { html, type Html } from '../../server/html.ts'
import { filledWith, type Filled } from '../form.ts'
import { form, send } from '../parts/fields.ts'
import { isAlike, merged, mergedOrRefused, shownWith, shownWithFields, type ShownValues } from '../shown-with.ts'
import type { Form, FormField } from './form-field.ts'

export type Values = { readonly [field: string]: unknown }

type Fields = readonly FormField[]

/** The stored values in the form in which the fields show them. */
function shownOf(fields: Fields, values: Values): ShownValues {
  return Object.fromEntries(fields.map((field) => [field.name, field.shownOf(values[field.name])]))
}

/** The initial fields of a form for something new. */
export function newlyFilled(fields: Fields, values: Values = {}): Filled {
  return filledWith(shownOf(fields, values))
}

export function showFields(fields: Fields, filled: Filled, isFirst = false): Html {
  return html`${fields.map((field, index) => field.show(filled, isFirst && index === 0))}`
}

interface Change {
  readonly csrf: string
  readonly fields: Fields
  readonly values: Values
  /** The rejected form; null if none was sent. */
  readonly filled: Filled | null
  readonly button?: string
  readonly back?: string
  readonly more?: Html
}

/** A form that changes something stored. */
export function changeForm({ csrf, fields, values, filled, button = 'Save', back, more }: Change): Html {
  const stored = shownOf(fields, values)
  const shown = filled === null ? filledWith(stored) : merged(filled, stored)
  return form(
    csrf,
    html`<input type="hidden" name="act" value="save" />${shownWith(stored)} ${showFields(fields, shown)}
      ${more ?? null} ${send(button, back)}`,
  )
}

/**
 * Reads the fields that differ from the stored values, or all fields for something new. A field that the form lacks
 * stays unchanged: an older release may have made the form.
 */
export function readFields<Input>(fields: Form<Input>, filled: Filled, values: Values | null): Input {
  const known = shownWithFields(filled)
  const isNeeded = (field: FormField) => values === null && field.isRequired
  const sent = fields.filter(
    (field) => isNeeded(field) || filled.has(field.name) || (known?.has(field.name) ?? field.isChosen),
  )
  const stored = shownOf(sent, values ?? {})
  const wished = mergedOrRefused(filled, stored)
  const problems: { readonly field: string; readonly message: string }[] = []
  const read = sent
    .filter((field) => isNeeded(field) || !isAlike(wished.all(field.name), stored[field.name]))
    .map((field) => {
      const refuse = (problem: string) => problems.push({ field: field.name, message: problem })
      return [field.name, field.read(wished, refuse)] as const
    })
  const [first] = problems
  if (first === undefined) return Object.fromEntries(read) as Input
  throw new HoldfastError('BAD_USER_INPUT', `${first.field} ${first.message}`, { details: problems })
}
