// The script of all pages. The pages also work without it. It sends the browser's time zone, handles the keys that lead
// to the areas, and restores forms after the session has ended.

const ZONE = 'holdfast-zone'

const zone = encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone)
const zoneBefore = zoneOfCookie()
if (zoneBefore !== zone) {
  document.cookie = `${ZONE}=${zone}; path=/; max-age=31536000; samesite=lax`
  // The page was made for another zone. The answer to a form is not reloaded, because that would send the form again.
  const isOther = zone !== (zoneBefore ?? 'UTC') && zoneOfCookie() === zone
  if (isOther && document.body.dataset.mayReload !== undefined) location.reload()
}

function zoneOfCookie() {
  return new RegExp(`(?:^|; )${ZONE}=([^;]*)`).exec(document.cookie)?.[1]
}

let isAfterG = false

document.addEventListener('keydown', (event) => {
  if (document.body.dataset.keys === 'off') return
  if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return
  const link = isAfterG ? document.querySelector(`[data-key="${CSS.escape(event.key)}"]`) : null
  isAfterG = event.key === 'g'
  if (link instanceof HTMLAnchorElement) link.click()
  if (event.key === '/') focusSearch(event)
  if (event.key === '?') showKeys().catch(() => location.assign('/keys'))
  if (event.key === 'j' || event.key === 'k') moveAlongRows(event.key === 'j' ? 1 : -1)
})

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('[data-copy]') : null
  if (button instanceof HTMLElement) void copy(button)
})

function isWriting(target) {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null
}

function focusSearch(event) {
  const field = document.querySelector('.anything input, input[type=search]')
  if (!(field instanceof HTMLInputElement)) return
  event.preventDefault()
  field.focus()
  field.select()
}

/** Shows the page of the keys as a dialog. */
async function showKeys() {
  if (document.querySelector('dialog[open]') !== null) return
  const answer = await fetch('/keys')
  const keys = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('keys')
  const dialog = document.createElement('dialog')
  dialog.setAttribute('aria-label', 'Keys')
  // Throws if the page has no keys. Then the browser shows it.
  dialog.append(document.adoptNode(keys))
  const close = document.createElement('button')
  close.className = 'button'
  close.textContent = 'Close'
  close.addEventListener('click', () => dialog.close())
  dialog.append(close)
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}

function moveAlongRows(step) {
  const links = [...document.querySelectorAll('tbody tr')].flatMap((row) => row.querySelector('a') ?? [])
  const place = links.indexOf(document.activeElement)
  links[Math.min(links.length - 1, Math.max(0, place + step))]?.focus()
}

async function copy(button) {
  const source = document.getElementById(button.dataset.copy ?? '')
  try {
    await navigator.clipboard.writeText(source?.textContent ?? '')
  } catch {
    // The clipboard needs TLS and may be forbidden. Then the text is selected, and the person copies it by key.
    getSelection()?.selectAllChildren(source ?? button)
    return
  }
  const before = button.textContent
  button.textContent = 'Copied'
  setTimeout(() => (button.textContent = before), 1_500)
}

// A session may have ended before the form was sent, or another tab may have started a new one. This tab keeps the
// content of the form until its next page of the console, for the same person only. It never keeps passwords, or forms
// with files.

const FORM = 'holdfast-form'
const KEPT_MS = 3_600_000

let sentAt = -Infinity

document.addEventListener('submit', (event) => {
  const { target: form, timeStamp } = event
  // A field named "method" or "action" would hide the property of the form.
  if (event.defaultPrevented || form.getAttribute('method') !== 'post') return
  // A second click would send the form twice.
  if (timeStamp - sentAt < 3_000) return event.preventDefault()
  sentAt = timeStamp
  if (form.hasAttribute('enctype')) return
  const place = placeOf(form.getAttribute('action') || location.href)
  const fields = fieldsOf(form)
  if (fields.length === 0) return
  try {
    sessionStorage.setItem(FORM, JSON.stringify({ ...place, at: Date.now(), fields }))
  } catch {
    // The storage is full.
    sessionStorage.removeItem(FORM)
  }
})

fillAgain()

/** Restores the form. The page after the sign-in leads here (sign-in.ts). */
function fillAgain() {
  const kept = JSON.parse(sessionStorage.getItem(FORM))
  sessionStorage.removeItem(FORM)
  if (location.hash !== '#again' || kept === null || Date.now() - kept.at > KEPT_MS) return
  history.replaceState(null, '', location.pathname + location.search)
  const { path, person } = placeOf(location.href)
  const form = [...document.forms].find((one) => shapeOf(fieldsOf(one)) === shapeOf(kept.fields))
  if (form === undefined || kept.path !== path || kept.person !== person) return
  for (const [index, field] of elementsOf(form).entries()) {
    const { value, checked } = kept.fields[index]
    if (value !== null) Object.assign(field, { value, checked })
  }
  const notice = document.createElement('p')
  notice.className = 'notice'
  notice.setAttribute('role', 'status')
  notice.textContent = 'This is your text from before you signed in again. It is not stored yet. Check it and send it.'
  form.prepend(notice)
  form.scrollIntoView()
}

function placeOf(address) {
  const { pathname, search } = new URL(address, location.href)
  return { path: pathname + search, person: document.querySelector('.person .soft')?.textContent }
}

function elementsOf(form) {
  return [...form.elements].filter(({ name, localName }) => name !== '' && name !== 'csrf' && localName !== 'button')
}

function fieldsOf(form) {
  return elementsOf(form).map(({ name, type, value, checked }) => {
    const isSecret = type === 'password' || type === 'file'
    return { name, type, value: isSecret ? null : value, checked }
  })
}

// A form is restored only into one with the same fields in the same order, and the same values that cannot be changed.
function shapeOf(fields) {
  return JSON.stringify(fields.map((one) => [one.name, one.type, isFixed(one) ? one.value : '']))
}

function isFixed({ name, type }) {
  return ['hidden', 'radio', 'checkbox'].includes(type) && name !== 'shown-with'
}
