import { html, type Html } from '../../server/html.ts'
import type { Filled } from '../form.ts'
import { LONGEST_SENTENCE, shorten, shortText } from './short-text.ts'
import { sign } from './sign.ts'
import { withCode } from './with-code.ts'

// Parts of forms: label, hint, field. What somebody has filled in stays there when it was refused.

export interface Field {
  readonly name: string
  /** Left out: the name. */
  readonly id?: string
  readonly label: Html | string
  readonly hint?: string
  /** Left out: the label says nothing of it. */
  readonly isRequired?: boolean
}

export interface TextField extends Field {
  readonly type?: 'text' | 'email' | 'url' | 'password'
  /** Whether it is written for a machine: it is shown so that 0 and O differ, and not corrected. */
  readonly isCode?: boolean
  readonly rows?: number
  /** The first of a page that is there for its form. */
  readonly isFirst?: boolean
}

/** A form of the page. `action` is the address that it is sent to, the page's own where it is left out. */
export function form(csrf: string, body: Html, action: string | null = null): Html {
  return html`<form class="form" method="post" ${action === null ? null : html`action="${action}"`}>
    <input type="hidden" name="csrf" value="${csrf}" />
    ${body}
  </form>`
}

/** A longer text has several lines. */
const LONG = 120

export function textField(
  filled: Filled,
  { name, id = name, label, hint, isRequired, type = 'text', isCode, rows, isFirst }: TextField,
): Html {
  const text = filled.exact(name)
  // A field of one line would drop the ends of the lines.
  const needed = rows ?? (text.includes('\n') || text.length > LONG ? 4 : undefined)
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

/** Label, hint, field, and what is wrong with it. `control` is given what ties it to the others. */
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

/** Several of them may be chosen. */
export function checkboxes(filled: Filled, { name, label, hint }: Field, choices: readonly Choice[]): Html {
  const chosen = filled.all(name)
  return html`<fieldset class="part">
    <legend>${label}</legend>
    ${hintOf(name, hint)} ${choices.map((choice) => oneOf(name, choice, chosen.includes(choice.value)))}
    ${problemLine(name, filled.problemOf(name))}
  </fieldset>`
}

/** Something that is the case or not. */
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

/** The button that sends the form says what it does; beside it the way back. */
export function send(label: string, back?: string, kind: 'main' | 'danger' = 'main', more: Html | null = null): Html {
  return html`<p class="sends">
    <button class="button ${kind}">${label}</button>
    ${more} ${back === undefined ? null : html`<a class="button" href="${back}">Cancel</a>`}
  </p>`
}

/** A button that does one thing at once, as a form of its own. */
export function act(csrf: string, label: string, fields: { readonly [name: string]: string }, kind = ''): Html {
  return html`<form class="acts" method="post">
    <input type="hidden" name="csrf" value="${csrf}" />
    ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <button class="button ${kind}">${label}</button>
  </form>`
}
