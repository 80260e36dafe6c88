// What all pages share, and every page works without: the time zone of the browser, and keys that lead to the areas.

const ZONE = 'holdfast-zone'

if (!document.cookie.includes(`${ZONE}=`)) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  document.cookie = `${ZONE}=${encodeURIComponent(zone)}; path=/; max-age=31536000; samesite=lax`
  // Only once in a browser: the page was made before its time zone was known.
  if (zone !== 'UTC' && document.cookie.includes(`${ZONE}=`)) location.reload()
}

let isAfterG = false

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return
  const link = isAfterG ? document.querySelector(`[data-key="${CSS.escape(event.key)}"]`) : null
  isAfterG = event.key === 'g'
  if (link instanceof HTMLAnchorElement) link.click()
  if (event.key === '/') focusSearch(event)
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
  const field = document.querySelector('input[type=search]')
  if (!(field instanceof HTMLInputElement)) return
  event.preventDefault()
  field.focus()
  field.select()
}

function moveAlongRows(step) {
  const links = [...document.querySelectorAll('tbody tr')].map((row) => row.querySelector('a')).filter((link) => link)
  const place = links.indexOf(document.activeElement)
  links[Math.min(links.length - 1, Math.max(0, place + step))]?.focus()
}

async function copy(button) {
  const source = document.getElementById(button.dataset.copy ?? '')
  await navigator.clipboard.writeText(source?.dataset.text ?? source?.textContent ?? '')
  const before = button.textContent
  button.textContent = 'Copied'
  setTimeout(() => (button.textContent = before), 1_500)
}
