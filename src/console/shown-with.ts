import { hash } from 'node:crypto'
import { HoldfastError } from '../lib/errors.ts'
import { isObject } from '../lib/json.ts'
import { html, type Html } from '../server/html.ts'
import { filledWith, type Filled } from './form.ts'
import { shortText } from './parts/short-text.ts'

// Two people may edit the same form at once. So a form records the values that it was shown with. It then changes only
// the fields that its sender changed, and never overwrites a value that the sender has not seen.

/** The stored values, as the fields of a form show them. */
export interface ShownValues {
  readonly [field: string]: string | readonly string[]
}

const FIELD = 'shown-with'

/** Hidden fields with the values that the form was shown with. */
export function shownWith(stored: ShownValues): Html {
  const digests = Object.entries(stored).map(([field, value]) => [field, digestOf(value)])
  return html`<input type="hidden" name="${FIELD}" value="${JSON.stringify(Object.fromEntries(digests))}" />`
}

function digestOf(value: string | readonly string[]): string {
  const texts = [value].flat().map((text) => text.replaceAll(/\r\n?/g, '\n').trim())
  const known = texts.filter((text) => text !== '').toSorted()
  return hash('sha256', JSON.stringify(known), 'base64url').slice(0, 16)
}

/** Tells whether a form shows both in the same way. */
export function isAlike(one: string | readonly string[] = '', other: string | readonly string[] = ''): boolean {
  return digestOf(one) === digestOf(other)
}

/** The fields that the form was shown with; null if the form does not record them. */
export function shownWithFields(filled: Filled): ReadonlySet<string> | null {
  return filled.has(FIELD) ? new Set(Object.keys(shownIn(filled))) : null
}

/**
 * Separates the fields that the sender left unchanged, changed alone, or changed at the same time as another person.
 */
function compareShown(filled: Filled, stored: ShownValues) {
  const shown = shownIn(filled)
  const fields = Object.keys(stored).filter((field) => typeof shown[field] === 'string')
  const isLeft = (field: string) => digestOf(filled.all(field)) === shown[field]
  const isStored = (field: string) => digestOf(stored[field] ?? '') === shown[field]
  return {
    left: fields.filter(isLeft),
    disputed: fields.filter(
      (field) => !isLeft(field) && !isStored(field) && !isAlike(stored[field], filled.all(field)),
    ),
  }
}

function shownIn(filled: Filled): { readonly [field: string]: unknown } {
  try {
    const shown: unknown = JSON.parse(filled.exact(FIELD))
    return isObject(shown) ? shown : {}
  } catch {
    // The form does not come from the console, or from an earlier release of it.
    return {}
  }
}

/** The values of the sender for changed fields, and the stored values for all others. */
export function merged(filled: Filled, stored: ShownValues): Filled {
  const { left } = compareShown(filled, stored)
  const now = filledWith(Object.fromEntries(left.map((field) => [field, stored[field] ?? ''])))
  const of = (field: string): Filled => (left.includes(field) ? now : filled)
  return {
    ...filled,
    text: (field) => of(field).text(field),
    exact: (field) => of(field).exact(field),
    all: (field) => of(field).all(field),
    has: (field) => of(field).has(field),
  }
}

/**
 * The values for a change: like `merged`, but it throws if another person changed a field that the sender changed
 * too.
 */
export function mergedOrRefused(filled: Filled, stored: ShownValues): Filled {
  const { disputed } = compareShown(filled, stored)
  if (disputed.length === 0) return merged(filled, stored)
  const details = disputed.map((field) => ({ field, message: nowText(stored[field]) }))
  throw new HoldfastError('CONFLICT', `somebody else has changed ${disputed.join(', ')} in the meantime`, { details })
}

/** The message at a field that two people have changed. */
function nowText(value: string | readonly string[] = ''): string {
  const text = [value].flat().join(', ')
  const now = text === '' ? 'is empty now' : `is now “${shortText(text)}”`
  return `${now}, which somebody else has stored. To overwrite it with your value, send the form again`
}

/** Rejects a change if another one was stored after `read` was read. */
export const unchangedSince =
  (read: unknown) =>
  (live: unknown): void => {
    if (JSON.stringify(live) === JSON.stringify(read)) return
    throw new HoldfastError('CONFLICT', 'somebody else has changed it at this moment; send the form again')
  }
