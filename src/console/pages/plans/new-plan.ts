import { capitalized } from '../../../lib/letter-case.ts'
import { html, type Html } from '../../../server/html.ts'
import { declarePage, type View, type Visit } from '../../page.ts'
import type { Filled } from '../../form.ts'
import { block, notice } from '../../parts/block.ts'
import { planAndKeep, type PlanProblem } from './send-plan.ts'
import { csrfField } from '../../../server/login/csrf.ts'

const MOST_BYTES = 67_108_864
/** The longest text that the page shows again after an error. */
const MOST_REPEATED = 200_000

const FORMS = ['yaml', 'json'] as const

interface Written {
  readonly document: string
  readonly settings: string
  readonly form: (typeof FORMS)[number]
}

const NOTHING: Written = { document: '', settings: '', form: 'yaml' }

/** `/plans/new`: plans an uploaded or pasted import document, without applying it. */
export const NEW_PLAN_PAGE = declarePage({
  path: '/plans/new',
  area: 'applies',
  right: 'model:plan',
  keepsWithin: false,
  mostBytes: MOST_BYTES,
  show: (visit) => Promise.resolve(formView(visit, NOTHING)),
  async receive(visit, filled, files) {
    const written = readWritten(filled)
    const file = files('file')
    const body = file?.bytes ?? Buffer.from(written.document)
    const settings = written.settings.trim() === '' ? null : written.settings
    const order = { form: file === undefined ? written.form : formOf(file.name), settings }
    const made = await planAndKeep(visit, order, body, file?.name ?? 'a pasted document')
    if ('id' in made) return { to: `/plans/${made.id}` }
    return { ...formView(visit, written, made.problem), status: 422 as const }
  },
})

function readWritten(filled: Filled): Written {
  const wanted = filled.text('form')
  return {
    document: filled.exact('document'),
    settings: filled.exact('settings'),
    form: FORMS.find((name) => name === wanted) ?? 'yaml',
  }
}

function formOf(name: string): Written['form'] {
  return name.toLowerCase().endsWith('.json') ? 'json' : 'yaml'
}

function formView({ csrf }: Visit, written: Written, problem: PlanProblem | null = null): View {
  return {
    title: 'Plan a document',
    crumbs: [{ label: 'Applies', href: '/applies' }],
    verdict: html`See what an import document would change here. Nothing is applied before you have seen it.`,
    body: html`${problem === null ? null : problemNotice(problem)}
      <div class="beside">
        <form class="plan-form" method="post" enctype="multipart/form-data">
          ${csrfField(csrf)} ${documentFields(written)} ${settingsFields(written)}
          <div class="buttons">
            <button class="button main">Plan</button>
            <a class="button" href="/applies">Cancel</a>
          </div>
        </form>
        ${advice()}
      </div>`,
  }
}

function documentFields({ document, form }: Written): Html {
  return html`<div class="row">
      <label for="file">A file with the import document</label>
      <p class="hint" id="file-hint">YAML or JSON, at most 64 MiB. It wins over a pasted text, which may have 4 MiB.</p>
      <input class="field" type="file" id="file" name="file" accept=".yaml,.yml,.json" aria-describedby="file-hint" />
    </div>
    <div class="row">
      <label for="document">Or its text</label>
      <textarea class="field area large" id="document" name="document" spellcheck="false">
${repeated(document)}</textarea>
      <fieldset class="choices">
        <legend class="spoken">The text is</legend>
        ${FORMS.map(
          (name) =>
            html`<label>
              <input type="radio" name="form" value="${name}" ${name === form ? html`checked` : null} />
              ${name.toUpperCase()}
            </label>`,
        )}
      </fieldset>
    </div>`
}

function settingsFields({ settings }: Written): Html {
  return html`<details ${settings === '' ? null : html`open`}>
    <summary>With holdfast.yaml</summary>
    <div class="row">
      <label for="settings">holdfast.yaml</label>
      <p class="hint" id="settings-hint">
        Acknowledgements, protections, moves and grants. With it the document is all that Git manages: a type that it
        does not have would leave the scope.
      </p>
      <textarea class="field area" id="settings" name="settings" spellcheck="false" aria-describedby="settings-hint">
${repeated(settings)}</textarea>
    </div>
  </details>`
}

function repeated(text: string): string {
  return text.length > MOST_REPEATED ? '' : text
}

function problemNotice({ message, errors, count }: PlanProblem): Html {
  return notice(
    'bad',
    capitalized(message),
    errors.length === 0
      ? null
      : html`<ol class="findings">
            ${errors.map(
              ({ pointer, code, detail, line, column }) =>
                html`<li>
                  <code>${line === undefined ? pointer : `${line}:${column ?? 1}`}</code>
                  <span><code>${code}</code> ${detail}</span>
                </li>`,
            )}
          </ol>
          ${count > errors.length ? html`<p>and ${(count - errors.length).toLocaleString('en-US')} more</p>` : null}`,
  )
}

function advice(): Html {
  return html`<aside class="blocks">
    ${block({
      title: 'What happens',
      body: html`<ul class="prose">
        <li>The document is checked, and compared with what is live at this moment.</li>
        <li>Types that it does not have are left alone.</li>
        <li>Secrets stay references: <code>\${env:NAME}</code> is not resolved here, so they are not compared.</li>
        <li>You see what would be lost, and which guards would stop an apply.</li>
        <li>The plan is kept for an hour, for you alone, with its document sealed.</li>
      </ul>`,
    })}
    ${block({
      title: 'To apply it',
      body: html`<ul class="prose">
        <li>Open a pull request with it, where the plan is reviewed.</li>
        <li>Without Git, an editor applies the plan from its page, exactly as it is shown.</li>
        <li>Or use the command line: <code>holdfast apply</code>.</li>
      </ul>`,
    })}
  </aside>`
}
