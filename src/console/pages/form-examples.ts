import { html, type Html } from '../../server/html.ts'
import { filledWith } from '../form.ts'
import type { Visit } from '../page.ts'
import { bars } from '../parts/bars.ts'
import { block } from '../parts/block.ts'
import { act, checkbox, checkboxes, fieldPart, form, selectField, send, textField } from '../parts/fields.ts'
import { secret } from '../parts/secret.ts'
import { sign } from '../parts/sign.ts'
import { shortTable } from '../parts/table.ts'
import { age, date } from '../parts/time.ts'

const HOUR = 3_600_000

/** Parts of forms, in each of their states, for the page of the parts. */
export function formExamples({ csrf }: Visit): Html {
  const filled = filledWith({
    plain: 'Lindenhof 1',
    wrong: 'Flow Temp',
    chosen: ['one'],
    kind: 'b',
    many: 'two\nlines',
  })
  const wrong = { name: 'wrong', label: 'Code', isCode: true, isRequired: true }
  return html`${block({
    title: 'Form',
    body: form(
      csrf,
      html`${textField(filled, { name: 'plain', label: 'Name', hint: 'As people know it.', isRequired: true })}
      ${textField(filled, { ...wrong, problem: 'A code has small letters, digits and hyphens.' })}
      ${textField(filled, { name: 'many', label: 'Addresses', hint: 'One a line.', rows: 3 })}
      ${selectField(filled, { name: 'kind', label: 'Kind' }, [
        { value: 'a', label: 'One kind' },
        { value: 'b', label: 'Another kind' },
      ])}
      ${checkboxes(filled, { name: 'chosen', label: 'Some of' }, [
        { value: 'one', label: 'This', hint: 'What follows from it.' },
        { value: 'two', label: 'That' },
      ])}
      ${checkbox(filled, { name: 'is-prototype', label: 'Prototype', hint: 'Or not.' })}
      ${fieldPart(
        { id: 'own', label: 'A field of another kind', hint: 'With its label and hint.' },
        (common) => html`<input class="field" type="number" name="own" value="48" ${common} />`,
      )}
      ${send('Create system', '#')} ${send('Delete 412,908 datapoints', '#', 'danger')}`,
      '#',
    ),
  })}
  ${block({ title: 'Buttons that do one thing', body: html`<div>${act(csrf, 'Activate', {})} ${act(csrf, 'End all sessions', {}, 'danger')}</div>` })}
  ${block({
    title: 'Secret',
    note: 'shown once',
    body: secret({
      label: 'The secret of an application',
      text: 'not-a-secret',
      done: '#',
      next: html`<p class="soft">A command to check it, and YAML to paste.</p>`,
    }),
  })}`
}

/** Parts that show times and numbers. */
export function numberExamples({ now, zone }: Visit): Html {
  const counts = Array.from({ length: 96 }, (_, index) => (index > 70 ? 0 : 20 + ((index * 7) % 11)))
  const earlier = new Date(now.getTime() - 6 * HOUR)
  return html`${block({ title: 'Bars', note: 'with silence at the end', body: bars(counts, 'An example of arrivals') })}
  ${block({
    title: 'Short table',
    body: shortTable([
      { sign: 'failed', cells: [html`<code>out-of-bounds</code>`, 428] },
      { sign: 'done', cells: ['Applied', 31] },
    ]),
  })}
  ${block({ title: 'Times', body: html`<p>${age(earlier, now, zone)} ago, on ${date(earlier, now, zone)} ${sign('done')}</p>` })}`
}
