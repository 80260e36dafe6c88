import { dataTypeOf, enforcedBoundary } from '../../../../../records/data-types/data-type.ts'
import type { ValueInput } from '../../../../../records/data-types/declaration.ts'
import type { RecordBody } from '../../../../../records/record-type.ts'
import type { SystemSeries } from '../../../../../platform/datapoints/reading/series/system-series.ts'
import { html, type Html } from '../../../../../server/html.ts'
import type { Filled } from '../../../../form.ts'
import { optionsOf, unitOf } from '../shape.ts'
import { fieldStep, stepsText } from './steps.ts'

/** The name of the field in the form. */
export const VALUE = 'value'

const TEXT = { type: 'text' } as const

/** The input types of browsers for values of one line. */
const INPUTS: { readonly [input in ValueInput]: { readonly type: string; readonly step?: string } | null } = {
  boolean: null,
  date: { type: 'date' },
  json: null,
  line: TEXT,
  lines: null,
  moment: { type: 'datetime-local', step: '1' },
  number: { type: 'number', step: 'any' },
  options: null,
  text: TEXT,
  time: { type: 'time', step: '1' },
  whole: { type: 'number', step: '1' },
}

/** The field for a value of the characteristic. The browser only helps; the platform validates. */
export function valueField(filled: Filled, series: SystemSeries): Html {
  const unit = unitOf(series)
  const label = unit === '' ? 'New value' : `New value in ${unit}`
  const hint = hintOf(series.characteristic)
  const { input } = dataTypeOf(series.characteristic)
  if (input === 'boolean') return choices(filled, label, 'radio', BOOLEANS)
  if (input === 'options') return optionField(filled, label, series)
  const described = hint === null ? null : html`aria-describedby="value-hint"`
  return html`<div class="part" data-unit="${unit}">
    <label for="value">${label}</label>
    ${hint === null ? null : html`<p class="hint" id="value-hint">${hint}</p>`}
    ${control(filled, input, series.characteristic, described)}
  </div>`
}

function control(filled: Filled, asked: ValueInput, body: RecordBody, described: Html | null): Html {
  const input = INPUTS[asked]
  const given = filled.exact(VALUE)
  const plain = html`id="value" name="${VALUE}" autocomplete="off" spellcheck="false" ${described}`
  if (input === null) return html`<textarea class="field mono" rows="4" required ${plain}>${given}</textarea>`
  const [least, most] = [limitOf(body, 'boundaryMin', input.type), limitOf(body, 'boundaryMax', input.type)]
  const step = fieldStep(body, given, input.step)
  return html`<input
    class="field"
    type="${input.type}"
    value="${given}"
    ${asked === 'text' ? null : html`required`}
    ${step === undefined ? null : html`step="${step}"`}
    ${least === null ? null : html`min="${String(least)}"`}
    ${most === null ? null : html`max="${String(most)}"`}
    ${plain}
  />`
}

/** A limit in the format of the browser. A person enters a date and time in local time, but its limits are in UTC. */
function limitOf(body: RecordBody, field: 'boundaryMin' | 'boundaryMax', input: string): string | number | null {
  const limit = enforcedBoundary(body, field)
  if (input === 'time') return typeof limit === 'string' && CLOCK_TIME.test(limit) ? limit : null
  return input === 'number' || input === 'date' ? limit : null
}

const CLOCK_TIME = /^\d\d:\d\d:\d\d(?:\.\d{1,3})?$/

const BOOLEANS = [
  ['true', 'true'],
  ['false', 'false'],
] as const

function optionField(filled: Filled, label: string, series: SystemSeries): Html {
  const options = [...optionsOf(series)].map(([key, option]) => [key, option.label] as const)
  return choices(filled, label, series.characteristic['multiple'] === true ? 'checkbox' : 'radio', options)
}

function choices(
  filled: Filled,
  label: string,
  type: 'radio' | 'checkbox',
  options: readonly (readonly [value: string, label: string])[],
): Html {
  const chosen = filled.all(VALUE)
  return html`<fieldset class="part options">
    <legend>${label}</legend>
    ${options.map(
      ([value, shown]) =>
        html`<label class="choice"
          ><input
            type="${type}"
            name="${VALUE}"
            value="${value}"
            ${type === 'radio' ? html`required` : null}
            ${chosen.includes(value) ? html`checked` : null}
          />
          <span>${shown}</span></label
        >`,
    )}
  </fieldset>`
}

/** `20 to 65, in steps of 0.5` */
function hintOf(characteristic: RecordBody): string | null {
  const { hint } = dataTypeOf(characteristic)
  if (hint !== undefined) return hint
  const least = enforcedBoundary(characteristic, 'boundaryMin')
  const most = enforcedBoundary(characteristic, 'boundaryMax')
  const range =
    least !== null && most !== null
      ? `${least} to ${most}`
      : least !== null
        ? `at least ${least}`
        : most !== null
          ? `at most ${most}`
          : ''
  return [range, stepsText(characteristic)].filter(Boolean).join(', ') || null
}
