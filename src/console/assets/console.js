// What all pages share, and every page works without: the time zone of the browser, and keys that lead to the areas.

const ZONE = 'holdfast-zone'

const zone = encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone)
const zoneBefore = zoneOfCookie()
if (zoneBefore !== zone) {
  document.cookie = `${ZONE}=${zone}; path=/; max-age=31536000; samesite=lax`
  // The page was made for another zone. To reload the answer to a form would send the form again.
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
  if (event.key === '?') void showKeys()
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

/** The content of the page of the keys, as a dialog over this one. */
async function showKeys() {
  if (document.querySelector('dialog[open]') !== null) return
  const answer = await fetch('/keys')
  const keys = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('keys')
  if (keys === null) {
    location.assign('/keys')
    return
  }
  const dialog = document.createElement('dialog')
  dialog.setAttribute('aria-label', 'Keys')
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
  const links = [...document.querySelectorAll('tbody tr')].map((row) => row.querySelector('a')).filter((link) => link)
  const place = links.indexOf(document.activeElement)
  links[Math.min(links.length - 1, Math.max(0, place + step))]?.focus()
}

async function copy(button) {
  const source = document.getElementById(button.dataset.copy ?? '')
  try {
    await navigator.clipboard.writeText(source?.dataset.text ?? source?.textContent ?? '')
  } catch {
    // A site without TLS has no clipboard, and a person may forbid it: then the text is marked, to be copied by keys.
    getSelection()?.selectAllChildren(source ?? button)
    return
  }
  const before = button.textContent
  button.textContent = 'Copied'
  setTimeout(() => (button.textContent = before), 1_500)
}
