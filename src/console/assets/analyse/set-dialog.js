import { make } from './elements.js'

/** With this header, the server answers 401 and does not redirect to the sign-in page, which may be on another site. */
const HEADERS = { accept: 'text/html', 'x-holdfast-dialog': '1' }

/** Shows the page that sets a value as a dialog over the chart. Without scripts it is an ordinary page. */
export class SetDialog {
  #dialog = null
  #address = ''
  #listener

  constructor(listener) {
    this.#listener = listener
  }

  /** The clicked element may be a link to this page. */
  onClick(event) {
    const link = event.target instanceof Element ? event.target.closest('#set-value') : null
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    void this.open(link.href)
  }

  async open(address) {
    try {
      await this.#show(await fetch(address, { headers: HEADERS }), address)
    } catch {
      // The browser shows the error, as it does without a script.
      location.assign(address)
    }
  }

  async #show(answer, address) {
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const body = page.getElementById('set')
    // The person must sign in first, or the page explains why it cannot be shown.
    if (body === null) return location.assign(address)
    this.#address = address
    this.#dialog ??= this.#make()
    const title = make('h2', { id: 'set-title' }, page.querySelector('h1').textContent)
    this.#dialog.replaceChildren(title, document.adoptNode(body))
    this.#reported()
    if (!this.#dialog.open) this.#dialog.showModal()
    this.#dialog.querySelector('[name=value]')?.focus()
  }

  #make() {
    const dialog = document.body.appendChild(make('dialog.dialog', { 'aria-labelledby': 'set-title' }))
    dialog.addEventListener('submit', (event) => {
      if (event.target.dataset.isPlain) return
      event.preventDefault()
      if (event.target.method === 'post') void this.#send(event.target)
    })
    dialog.addEventListener('change', ({ target }) => {
      if (target.name !== 'what') return
      // The value in the form is of the setting before.
      dialog.querySelector('.button.main').disabled = true
      void this.open(this.#addressOf(target))
    })
    dialog.addEventListener('input', () => this.#say())
    dialog.addEventListener('click', (event) => {
      if (event.target.closest('a') === null) return
      event.preventDefault()
      dialog.close()
    })
    return dialog
  }

  get #what() {
    return this.#dialog.querySelector('[name=what]')?.value ?? this.#dialog.querySelector('#set').dataset.series
  }

  #addressOf({ value }) {
    const address = new URL(this.#address, location.href)
    address.searchParams.set('what', value)
    return address.href
  }

  /** Shows the value that the device reports now. It is read from the list on the left. */
  #reported() {
    const value = document
      .querySelector(`#chooser [data-series="${CSS.escape(this.#what)}"] .value`)
      ?.textContent.trim()
    if (value) this.#dialog.querySelector('#reported').textContent = `. Reported now: ${value}`
  }

  /** Shows the value in the label of the button. */
  #say() {
    const field = this.#dialog.querySelector('input.field[name=value]')
    const { unit = '' } = this.#dialog.querySelector('[data-unit]')?.dataset ?? {}
    const button = this.#dialog.querySelector('.button.main')
    if (field !== null) button.textContent = `Set ${field.value.slice(0, 40)} ${unit}`.trim()
  }

  async #send(form) {
    const button = form.querySelector('.button.main')
    button.disabled = true
    try {
      const what = this.#what
      const address = this.#addressOf({ value: what })
      const body = new URLSearchParams(new FormData(form))
      const answer = await fetch(address, { method: 'POST', headers: HEADERS, body })
      if (answer.status === 401) return sendPlainly(form, address)
      if (answer.status >= 500) throw new Error(answer.status)
      const isDone = answer.redirected && new URL(answer.url).pathname.endsWith('/setpoints')
      if (!isDone) return await this.#show(answer, address)
      this.#dialog.close()
      this.#listener.set(what)
    } catch (error) {
      this.#dialog.close()
      this.#listener.failed(error)
    } finally {
      button.disabled = false
    }
  }
}

/** Sends the form as a page, because it belongs to an earlier session. The browser then signs in and returns here. */
function sendPlainly(form, address) {
  form.setAttribute('action', address)
  form.dataset.isPlain = true
  form.requestSubmit()
}
