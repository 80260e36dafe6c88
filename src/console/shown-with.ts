import { hash } from 'node:crypto'
import { HoldfastError } from '../lib/errors.ts'
import { isObject } from '../lib/json.ts'
import { html, type Html } from '../server/html.ts'
import { filledWith, type Filled } from './form.ts'
import { shortText } from './parts/short-text.ts'

// Two people may have the same form open. A form says what it was shown with, so that it changes only what its sender has
// changed, and overwrites nothing that its sender has not seen.

/** The stored values, as the fields of a form show them. */
export interface ShownValues {
  readonly [field: string]: string | readonly string[]
}

const FIELD = 'shown-with'

/** Says in the form what each field was shown with. */
export function shownWith(stored: ShownValues): Html {
  const digests = Object.entries(stored).map(([field, value]) => [field, digestOf(value)])
  return html`<input type="hidden" name="${FIELD}" value="${JSON.stringify(Object.fromEntries(digests))}" />`
}

function digestOf(value: string | readonly string[]): string {
  const texts = [value].flat().map((text) => text.replaceAll('\r\n', '\n').trim())
  const known = texts.filter((text) => text !== '').toSorted()
  return hash('sha256', JSON.stringify(known), 'base64url').slice(0, 16)
}

/** Tells whether a form shows both in the same way. */
export function isAlike(one: string | readonly string[] = '', other: string | readonly string[] = ''): boolean {
  return digestOf(one) === digestOf(other)
}

/** The fields that the form was shown with; null if it does not say it. */
export function shownWithFields(filled: Filled): ReadonlySet<string> | null {
  return filled.has(FIELD) ? new Set(Object.keys(shownIn(filled))) : null
}

/** Tells which fields the sender has left as they were shown, and which were changed by the sender and by somebody else. */
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
    // Not of a form of the console, or of one that was open since an earlier release.
    return {}
  }
}

/** The fields that the sender has changed, and all others as they are stored now. */
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

/** The same, where nobody else has changed a field that the sender has changed, too. */
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

/** Refuses a change if another one was stored since `read` was read. */
export const unchangedSince =
  (read: unknown) =>
  (live: unknown): void => {
    if (JSON.stringify(live) === JSON.stringify(read)) return
    throw new HoldfastError('CONFLICT', 'somebody else has changed it at this moment; send the form again')
  }
