import { html, type Html } from '../../server/html.ts'
import type { Filled } from '../form.ts'
import { LONGEST_SENTENCE, shorten, shortText } from './short-text.ts'
import { sign } from './sign.ts'
import { withCode } from './with-code.ts'
import { csrfField } from '../../server/login/csrf.ts'

// Parts of forms: label, hint, field. A rejected form keeps the values that the person entered.

export interface Field {
  readonly name: string
  /** Default: the name. */
  readonly id?: string
  readonly label: Html | string
  readonly hint?: string
  /** Default: the label does not say whether the field is required. */
  readonly isRequired?: boolean
}

export interface TextField extends Field {
  readonly type?: 'text' | 'email' | 'url' | 'password'
  /** Whether the text is code. Its font distinguishes 0 and O, and spelling is not corrected. */
  readonly isCode?: boolean
  readonly rows?: number
  /** Whether the field gets the focus, as the first field of a page that exists for its form. */
  readonly isFirst?: boolean
}

/** A form. `action` is its target; null for the address of the page. */
export function form(csrf: string, body: Html, action: string | null = null): Html {
  return html`<form class="form" method="post" ${action === null ? null : html`action="${action}"`}>
    ${csrfField(csrf)} ${body}
  </form>`
}

/** Longer texts get several lines. */
const LONG = 120

export function textField(
  filled: Filled,
  { name, id = name, label, hint, isRequired, type = 'text', isCode, rows, isFirst }: TextField,
): Html {
  const text = filled.exact(name)
  // A single-line field would drop line breaks.
  const needed = rows ?? (/[\r\n]/.test(text) || text.length > LONG ? 4 : undefined)
  const own = html`name="${name}" ${isRequired === true ? html`required` : null}
  ${isFirst === true ? html`autofocus` : null}
  ${isCode === true ? html`spellcheck="false" autocapitalize="off" autocomplete="off"` : null}`
  const look = isCode === true ? 'field mono' : 'field'
  const shown = html`${label}${isRequired === false ? html` <span class="soft">optional</span>` : null}`
  return fieldPart({ id, label: shown, hint, problem: filled.problemOf(name) }, (common) =>
    needed === undefined
      ? html`<input class="${look}" type="${type}" value="${text}" ${own} ${common} />`
      : html`<textarea class="${look}" rows="${needed}" ${own} ${common}>${text}</textarea>`,
  )
}

interface FieldPart {
  readonly id: string
  readonly label: Html | string
  readonly hint?: string | undefined
  readonly problem?: string | undefined
}

/** A field with label, hint and error. `control` gets the attributes that connect it with these. */
export function fieldPart({ id, label, hint, problem }: FieldPart, control: (common: Html) => Html): Html {
  const described = [hint === undefined ? [] : `${id}-hint`, problem === undefined ? [] : `${id}-problem`].flat()
  const common = html`id="${id}" ${described.length === 0 ? null : html`aria-describedby="${described.join(' ')}"`}
  ${problem === undefined ? null : html`aria-invalid="true"`}`
  return html`<div class="part">
    <label for="${id}">${label}</label>
    ${hintOf(id, hint)} ${control(common)} ${problemLine(id, problem)}
  </div>`
}

function problemLine(name: string, problem: string | undefined): Html | null {
  if (problem === undefined) return null
  return html`<p class="problem" id="${name}-problem">${sign('needs')} ${withCode(problem)}</p>`
}

export interface Choice {
  readonly value: string
  readonly label: string
  readonly hint?: string
}

/** A choice of several values. */
export function checkboxes(filled: Filled, { name, label, hint }: Field, choices: readonly Choice[]): Html {
  const chosen = filled.all(name)
  // A stored value that is not offered, such as a scope of another platform, would get lost when the form is saved.
  const others = chosen.filter((value) => choices.every((one) => one.value !== value))
  return html`<fieldset class="part">
    <legend>${label}</legend>
    ${hintOf(name, hint)}
    ${[...choices, ...others.map((value) => ({ value, label: value }))].map((choice) => oneOf(name, choice, chosen.includes(choice.value)))}
    ${problemLine(name, filled.problemOf(name))}
  </fieldset>`
}

/** A choice of yes or no. */
export function checkbox(filled: Filled, { name, label, hint }: Field): Html {
  return html`<div class="part">
    ${oneOf(name, { value: 'true', label, ...(hint !== undefined && { hint }) }, filled.text(name) === 'true')}
    ${problemLine(name, filled.problemOf(name))}
  </div>`
}

function oneOf(
  name: string,
  { value, label, hint }: Pick<Field, 'label' | 'hint'> & { readonly value: string },
  isChosen: boolean,
): Html {
  return html`<label class="choice">
    <input type="checkbox" name="${name}" value="${value}" ${isChosen ? html`checked` : null} />
    <span
      >${shorten(label)}${hint === undefined ? null : html`<span class="under">${withCode(shortText(hint, LONGEST_SENTENCE))}</span>`}</span
    >
  </label>`
}

export function selectField(filled: Filled, { name, id = name, label, hint }: Field, choices: readonly Choice[]): Html {
  const chosen = filled.text(name)
  return fieldPart(
    { id, label, hint, problem: filled.problemOf(name) },
    (common) =>
      html`<select class="field" name="${name}" ${common}>
        ${choices.map(
          ({ value, label: shown, hint: meaning }) =>
            html`<option value="${value}" ${value === chosen ? html`selected` : null}>
              ${shortText(meaning === undefined ? shown : `${shown}: ${meaning}`)}
            </option>`,
        )}
      </select>`,
  )
}

function hintOf(name: string, hint: string | undefined): Html | null {
  return hint === undefined
    ? null
    : html`<p class="hint" id="${name}-hint">${withCode(shortText(hint, LONGEST_SENTENCE))}</p>`
}

/** The button that sends the form, and a link back. The label names the action. */
export function send(label: string, back?: string, kind: 'main' | 'danger' = 'main', more: Html | null = null): Html {
  return html`<p class="sends">
    <button class="button ${kind}">${label}</button>
    ${more} ${back === undefined ? null : html`<a class="button" href="${back}">Cancel</a>`}
  </p>`
}

/** A form with a single button, which acts at once. */
export function act(csrf: string, label: string, fields: { readonly [name: string]: string }, kind = ''): Html {
  return html`<form class="acts" method="post">
    ${csrfField(csrf)}
    ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <button class="button ${kind}">${label}</button>
  </form>`
}
