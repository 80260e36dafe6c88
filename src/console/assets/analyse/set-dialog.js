import { make } from './elements.js'

/** The server does not send a dialog to the sign-in, which may be of another site, but answers 401. */
const HEADERS = { accept: 'text/html', 'x-holdfast-dialog': '1' }

/** The page that sets a value, as a dialog over the chart. Without a script it is a page. */
export class SetDialog {
  #dialog = null
  #address = ''
  #listener

  constructor(listener) {
    this.#listener = listener
  }

  /** The clicked element may be the link to the page. */
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
      // As without a script, the browser says what is wrong.
      location.assign(address)
    }
  }

  async #show(answer, address) {
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const body = page.getElementById('set')
    // Somebody has to sign in first, or sees why not.
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
    dialog.addEventListener('change', ({ target }) => target.name === 'what' && void this.open(this.#addressOf(target)))
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

  /** The list on the left knows what the device says now. */
  #reported() {
    const value = document
      .querySelector(`#chooser [data-series="${CSS.escape(this.#what)}"] .value`)
      ?.textContent.trim()
    if (value) this.#dialog.querySelector('#reported').textContent = `. Reported now: ${value}`
  }

  /** The button repeats what it does. */
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

/** The form is not of the present session. As a page, it leads to the sign-in, and comes back. */
function sendPlainly(form, address) {
  form.setAttribute('action', address)
  form.dataset.isPlain = true
  form.requestSubmit()
}
