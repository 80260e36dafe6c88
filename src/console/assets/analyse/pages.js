import { shortAge, valueText } from './format.js'

// Changes the view without reloading: fetches the new page and replaces the parts that differ. The keyboard focus
// stays, and the old picture stays until the new one is ready.

const REPLACED = ['toolbar', 'notices', 'below', 'chosen-count']

/** The present address with some parameters changed; null removes a parameter. */
export function addressOf(changes) {
  const query = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) query.delete(name)
    else query.set(name, value)
  }
  return `${location.pathname}?${query}`
}

/** Adds the text in the search field to the address of a link. */
function withSearch(href) {
  const address = new URL(href)
  const text = new URLSearchParams(location.search).get('search')
  if (text === null) address.searchParams.delete('search')
  else address.searchParams.set('search', text)
  return address.href
}

export class Pages {
  #root
  #changed
  #failed
  #going = null
  /** The difference between the clocks of the platform and the browser. */
  ahead = 0

  constructor(root, { changed, failed }) {
    this.#root = root
    this.#changed = changed
    this.#failed = failed
    document.documentElement.classList.add('has-script')
    root.addEventListener('click', (event) => this.#onClick(event))
    root.addEventListener('submit', (event) => this.#onSubmit(event))
    root.addEventListener('change', ({ target }) => target.name === 'show' && this.#choose())
    root.addEventListener('input', ({ target }) => target.name === 'search' && search(target.value))
    addEventListener('popstate', () => void this.#load(location.href))
    showChosen()
    // A person may have changed the checkboxes before this script ran.
    const boxes = [...root.querySelectorAll('#chooser input[type=checkbox]')]
    if (boxes.some(({ checked, defaultChecked }) => checked !== defaultChecked)) this.#choose()
  }

  async go(address) {
    const before = location.href
    history.pushState(null, '', address)
    // If the page could not be loaded, the address stays the previous one.
    if (!(await this.#load(address))) history.replaceState(null, '', before)
  }

  /** Loads the tables below the picture again. */
  async refreshTables() {
    const asked = location.href
    const answer = await fetch(asked, { headers: { accept: 'text/html' } })
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    // The person may have gone to another window meanwhile.
    if (answer.ok && asked === location.href) exchange('below', page)
  }

  #onClick(event) {
    const link = event.target instanceof Element ? event.target.closest('a[href^="?"]') : null
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
    if (document.getElementById('chooser') === null) return
    event.preventDefault()
    void this.go(withSearch(link.href))
  }

  #onSubmit(event) {
    const form = event.target
    if (form.method !== 'get') return
    event.preventDefault()
    if (form.id === 'chooser') return
    void this.go(`${location.pathname}?${new URLSearchParams(new FormData(form))}`)
  }

  /** Series that were already chosen keep their place, and so their colour. */
  #choose() {
    const query = new URLSearchParams(location.search)
    const boxes = [...document.querySelectorAll('#chooser input[name=show]')]
    const checked = boxes.filter((box) => box.type === 'hidden' || box.checked).map(({ value }) => value)
    const before = query.getAll('show').filter((one) => checked.includes(one))
    query.delete('show')
    for (const one of new Set([...before, ...checked])) query.append('show', one)
    void this.go(`${location.pathname}?${query}`)
  }

  async #load(address) {
    this.#going?.abort()
    this.#going = new AbortController()
    const { signal } = this.#going
    try {
      const answer = await fetch(address, { signal, headers: { accept: 'text/html' } })
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
      // The person must sign in first, or the page explains why it cannot be shown.
      if (page.getElementById('chooser') === null) location.assign(address)
      else {
        this.#replace(page)
        this.#changed()
      }
      return true
    } catch {
      if (signal.aborted) return true
      this.#failed('The platform cannot be reached. This page shows older data. Try again.')
      return false
    }
  }

  #replace(page) {
    const held = nameOfFocus()
    for (const id of REPLACED) exchange(id, page)
    // The old picture stays until the new one is drawn.
    const isPicture = page.getElementById('picture') !== null && document.getElementById('picture') !== null
    if (!isPicture) exchange('stage', page)
    syncChooser(page)
    focusOn(held)
    // Moves the focus to a question, so that screen readers announce it.
    this.#root.querySelector('.question')?.focus()
  }

  /** Updates the last value in the list of series, unless the point is older than the one that is shown. */
  showLatest([id, at, value], { series }) {
    const own = series.find((one) => one.id === id)
    const row = document.querySelector(`#chooser [data-series="${CSS.escape(id)}"]`)
    const time = row?.querySelector('time')
    if (own === undefined || time == null || at < Date.parse(time.dateTime)) return
    const unit = row.querySelector('.unit')
    unit.textContent = ` ${own.unit}`
    row.querySelector('.value').replaceChildren(valueText(value, own).slice(0, 1_000), unit)
    time.dateTime = new Date(at).toISOString()
    time.title = ''
    time.textContent = '0 s'
    this.showAges([time])
  }

  /** Shows how old the values in the list of series are by now. */
  showAges(times = document.querySelectorAll('#chooser time[datetime]')) {
    for (const time of times) {
      const age = Date.now() + this.ahead - Date.parse(time.dateTime)
      // The page has the date of a time in the future.
      if (age >= 0) time.textContent = shortAge(age)
    }
  }
}

function exchange(id, page) {
  const [before, after] = [document.getElementById(id), page.getElementById(id)]
  if (before !== null && after !== null && before.innerHTML !== after.innerHTML)
    before.replaceChildren(...document.adoptNode(after).childNodes)
}

function syncChooser(page) {
  const form = document.getElementById('chooser')
  const after = page.getElementById('chooser')
  for (const box of form.querySelectorAll('input[type=checkbox]')) {
    const other = after.querySelector(`input[type=checkbox][value="${CSS.escape(box.value)}"]`)
    box.checked = other?.hasAttribute('checked') ?? false
    box.className = other?.className ?? ''
  }
  for (const input of hiddenIn(form)) input.remove()
  form.prepend(...hiddenIn(after))
  const counts = after.querySelectorAll('.component .count')
  const own = form.querySelectorAll('.component .count')
  if (own.length === counts.length)
    for (const [index, count] of own.entries()) count.textContent = counts[index].textContent
}

/** Scrolls the list to the first chosen series. */
function showChosen() {
  const list = document.querySelector('#chooser .listed')
  const first = list?.querySelector('input:checked')?.closest('.component')
  if (first) list.scrollTop = first.offsetTop - list.offsetTop
}

function hiddenIn(form) {
  return [...form.querySelectorAll('input[type=hidden]')]
}

function search(text) {
  history.replaceState(null, '', addressOf({ search: text === '' ? null : text }))
  filter(text)
}

/** Shows the characteristics whose names contain each word of the text. */
function filter(text) {
  const words = text.toLowerCase().split(/\s+/)
  for (const row of document.querySelectorAll('#chooser li'))
    row.hidden = !words.every((word) => row.dataset.search.includes(word)) && !row.querySelector('input').checked
  for (const part of document.querySelectorAll('#chooser :is(.service, .component)'))
    part.hidden = part.querySelector('li:not([hidden])') === null
  const isNone = document.querySelector('#chooser li:not([hidden])') === null
  document.querySelector('#chooser .none').hidden = !isNone
}

function nameOfFocus() {
  const held = document.activeElement
  const part = held?.closest('#toolbar, #notices, #below')
  return part == null ? null : { part: part.id, text: held.textContent, label: held.ariaLabel }
}

function focusOn(held) {
  if (held === null || document.getElementById(held.part)?.contains(document.activeElement)) return
  const candidates = [...document.querySelectorAll(`#${held.part} :is(a, button, summary)`)]
  candidates.find(({ textContent, ariaLabel }) => textContent === held.text && ariaLabel === held.label)?.focus()
}
