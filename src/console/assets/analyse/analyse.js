import { isStale } from './arriving.js'
import { listenTo } from './crosshair.js'
import { fetchData } from './data.js'
import { forgetColours } from './colours.js'
import { AGAIN_MS, followFirst, Live } from './live.js'
import { addressOf, Pages } from './pages.js'
import { Picture } from './picture.js'
import { SetDialog } from './set-dialog.js'
import { valueText } from './format.js'

// Analyse also works without this script. The script draws the charts, changes the view without reloading the page, and
// adds new points.

/** After this time, a message tells the person that the page is loading. */
const PATIENCE_MS = 400
/**
 * Rejections and applies are not in the stream, so the page polls them at this interval. It reads stale series sooner.
 */
const READ_AGAIN_MS = 30_000
const READ_STALE_MS = 5_000
const AGES_MS = 10_000
/** The page waits at least this many times as long as the last reading took. */
const SHARE = 50

const root = document.getElementById('analyse')
const path = root.dataset.path
const status = root.appendChild(Object.assign(document.createElement('p'), { className: 'spoken', role: 'status' }))

let picture = null
let loading = null
let again
/** Infinity: nothing more is requested, such as after the session has ended. */
let readAt = 0
let readMs = 0
let isTold = false

const pages = new Pages(root, { changed: () => void draw(), failed: stay })
const live = new Live(path, {
  points: addPoints,
  setpoints: addSetpoints,
  events: () => (isTold = true),
  ended(text) {
    readAt = Infinity
    say(text)
  },
  broken: drawAgain,
})
const dialog = new SetDialog({ set: showSet, failed: (error) => say(`The value may be set: ${error.message}`) })

root.addEventListener('click', (event) => dialog.onClick(event))
listenToKeys()
listenToTheme()
new ResizeObserver(() => picture?.resize()).observe(root)
// uPlot sends this event when the page is zoomed or moves to another screen.
addEventListener('dppxchange', () => picture?.resize())
document.addEventListener('visibilitychange', listenIfSeen)
followFirst(path)
void draw()
moveOn()
setInterval(() => pages.showAges(), AGES_MS)

async function draw() {
  clearTimeout(again)
  loading?.abort()
  loading = new AbortController()
  const { signal } = loading
  const stage = document.getElementById('picture')
  live.close()
  readAt = performance.now()
  if (stage === null) {
    picture?.destroy()
    picture = null
    if (isLive()) listen()
    return
  }
  const patience = setTimeout(() => say('Reading the datapoints …', stage), PATIENCE_MS)
  try {
    const begun = performance.now()
    const data = await fetchData(path, location.search, signal)
    readAt = performance.now()
    readMs = readAt - begun
    isTold = false
    pages.ahead = data.ahead
    const isSame = stage.dataset.isDrawn === location.search
    const at = isSame ? (picture?.at ?? null) : null
    picture?.destroy()
    picture = new Picture(stage, data, { choose: moveTo })
    if (at !== null) picture.show(at)
    if (stage.dataset.isHeard === undefined) {
      stage.dataset.isHeard = ''
      listenTo(stage, { picture: () => picture, zoom, moved, announce: (text) => (status.textContent = text) })
    }
    stage.dataset.isDrawn = location.search
    if (data.isLive) listen(data.after)
    say('')
  } catch (error) {
    if (signal.aborted) return
    say(`The datapoints could not be read: ${error.message}`, stage)
    if (error.isFinal) readAt = Infinity
    else if (isLive()) drawAgain(AGAIN_MS)
  } finally {
    clearTimeout(patience)
  }
}

/** A tab that nobody sees has no stream, because browsers have only six connections to a server for all tabs. */
function listen(after) {
  if (!document.hidden) live.open(location.search, after)
}

function listenIfSeen() {
  if (document.hidden) live.close()
  else if (isLive() && readAt !== Infinity) void readAgain(draw)
}

/** Reads the data again later, because the stream failed. */
function drawAgain(delay) {
  clearTimeout(again)
  again = setTimeout(draw, delay)
}

/** Keeps the old picture, because the new view could not be loaded. */
function stay(text) {
  picture?.goBack()
  say(text)
}

/** Shows a message above the picture. */
function say(text, stage = document.getElementById('picture')) {
  if (stage === null) return
  const before = stage.parentElement.querySelector('.saying')
  before?.remove()
  if (text === '') return
  const line = Object.assign(document.createElement('p'), { className: 'saying', textContent: text })
  line.setAttribute('role', 'status')
  stage.before(line)
}

function isLive() {
  return document.getElementById('live')?.getAttribute('aria-pressed') === 'true'
}

function addPoints(points) {
  if (picture === null) return
  picture.add(points)
  const latest = new Map(points.toSorted(([, at], [, other]) => at - other).map((point) => [point[0], point]))
  for (const point of latest.values()) pages.showLatest(point, picture.data)
}

/** Draws the states of setpoints, announces them to screen readers, and updates the table below. */
function addSetpoints(told) {
  const changed = picture?.addSetpoints(told) ?? []
  if (changed.length > 0) status.textContent = changed.map(spoken).join('. ')
  if (changed.length > 0 || picture === null) void pages.refreshTables()
}

function spoken({ series, setpoint: { value, state, reason } }) {
  const why = reason === null ? '' : `: ${reason}`
  return `${series.name} ${valueText(value, series)} ${series.unit} ${state.toLowerCase()}${why}`
}

/** Shows the series of the new setpoint, up to the present. */
function showSet(id) {
  const query = new URLSearchParams(location.search)
  const isShown = query.getAll('show').includes(id)
  if (isShown && isLive()) return
  if (!isShown) query.append('show', id)
  for (const name of ['to', 'live', 'view']) query.delete(name)
  void pages.go(`${location.pathname}?${query}`)
}

/** Moves the window to the present, even if no points arrive. */
function moveOn() {
  if (isLive() && !document.hidden) {
    if (picture?.isBehind) picture.moveOn()
    if (isDue()) void readAgain()
  }
  setTimeout(moveOn, 1_000)
}

function isDue() {
  const stage = document.getElementById('picture')
  // Does not move a picture that a person is moving or that has the keyboard focus.
  if (picture?.isHeld || (stage?.contains(document.activeElement) && document.activeElement !== stage)) return false
  const isKnown = isTold || (picture !== null && isStale(picture.data))
  return performance.now() - readAt > Math.max(isKnown ? READ_STALE_MS : READ_AGAIN_MS, readMs * SHARE)
}

async function readAgain(drawn = () => (picture === null ? null : draw())) {
  const begun = performance.now()
  readAt = begun
  isTold = false
  await Promise.all([drawn(), pages.refreshTables().catch(() => undefined)])
  readMs = performance.now() - begun
}

function zoom(from, to) {
  void pages.go(addressOf({ from: new Date(from).toISOString(), to: new Date(to).toISOString(), window: null }))
}

/** Moves the window so that this time is in its middle. */
function moveTo(middle) {
  const { from, to } = picture.view()
  const end = Math.min(middle + (to - from) / 2, Date.now())
  moved(end - (to - from), end)
}

/** Moves the window to another time. Its length stays. */
function moved(from, end) {
  const isSpan = !new URLSearchParams(location.search).has('from')
  const begin = isSpan ? null : new Date(from).toISOString()
  void pages.go(addressOf({ from: begin, to: new Date(end).toISOString() }))
}

function listenToKeys() {
  let before = ''
  document.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event
    const isOfArea = before === 'g'
    before = key
    if (isOfArea || document.querySelector('dialog[open]') !== null) return
    // If the person has switched keys off, the keys of the chart work only while the chart has the focus.
    if (document.body.dataset.keys === 'off' && target.closest?.('#picture') == null) return
    if (ctrlKey || metaKey || altKey || (target instanceof Element && target.closest('input, textarea, select'))) return
    if (key === 'l') document.getElementById('live')?.click()
    if (key === 's') document.getElementById('set-value')?.click()
    if (key === 't')
      document.querySelector('[data-key=table]:not([aria-current]), [data-key=chart]:not([aria-current])')?.click()
    if ((key === '+' || key === '-') && picture !== null) zoomBy(key === '+' ? 0.5 : 2)
  })
}

/** Zooms around the crosshair, or around the middle if there is no crosshair. */
function zoomBy(factor) {
  const { from, to } = picture.view()
  const middle = picture.at ?? (from + to) / 2
  const [begin, end] = [middle - (middle - from) * factor, Math.min(middle + (to - middle) * factor, Date.now())]
  if (end - begin >= 1_000) zoom(begin, end)
}

function redraw() {
  forgetColours()
  picture?.redraw()
}

function listenToTheme() {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw)
  // Uses the light theme, because paper is white.
  addEventListener('beforeprint', () => {
    document.documentElement.style.colorScheme = 'light'
    redraw()
  })
  addEventListener('afterprint', () => {
    document.documentElement.style.colorScheme = ''
    redraw()
  })
  void document.fonts.ready.then(() => picture?.resize())
}
