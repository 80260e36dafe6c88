// Moves the crosshair with pointer and keys. Dragging with the pointer selects a part of the window to zoom in.

import { make } from './elements.js'

/** The pointer must move this many pixels before a selection begins. */
const LEAST_MOVE = 6
const KEYS = 'Left and right arrow: a point. With Shift: ten. Home, End. Plus, minus: zoom. Square brackets: marks.'

export function listenTo(stage, { picture, zoom, moved, announce }) {
  stage.tabIndex = 0
  stage.setAttribute('role', 'group')
  stage.setAttribute('aria-label', `Chart. ${KEYS}`)
  listenToPointer(stage, { picture, zoom })
  listenToPan(stage, { picture, moved })
  stage.addEventListener('keydown', (event) => {
    const at = movedBy(event, picture())
    if (at === undefined) return
    event.preventDefault()
    picture().show(at)
    if (at !== null) announce(picture().spoken())
  })
}

/** The new place of the crosshair after a key; undefined for other keys. */
function movedBy({ key, shiftKey, ctrlKey, metaKey, altKey }, picture) {
  if (picture === null || ctrlKey || metaKey || altKey) return undefined
  const { from, to } = picture.view()
  if (key === 'ArrowLeft') return picture.step(shiftKey ? -10 : -1)
  if (key === 'ArrowRight') return picture.step(shiftKey ? 10 : 1)
  if (key === 'Home') return from
  if (key === 'End') return to
  if (key === 'Escape') return null
  const marks = picture.marks()
  const here = picture.at ?? to
  if (key === '[') return marks.findLast((at) => at < here - 1) ?? picture.at ?? undefined
  if (key === ']') return marks.find((at) => at > here + 1) ?? picture.at ?? undefined
  return undefined
}

function isChart({ target }) {
  return target instanceof Element && target.closest('.plot, .strip') !== null
}

/** Dragging the time axis moves all lanes. */
function listenToPan(stage, { picture, moved }) {
  let begin = null
  let wanted = null
  const draw = () => {
    if (wanted !== null) picture()?.pan(wanted)
    wanted = null
  }
  stage.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || picture() === null || event.target.closest?.('.axis') == null) return
    begin = { x: event.clientX, from: picture().view().from }
    stage.setPointerCapture(event.pointerId)
  })
  stage.addEventListener('pointermove', ({ clientX }) => {
    if (begin === null) return
    const { from, to } = picture().view()
    // Draws at most once per frame, because pointer events are more frequent.
    if (wanted === null) requestAnimationFrame(draw)
    wanted = Math.min(begin.from - (clientX - begin.x) * picture().pixel, Date.now() - (to - from))
  })
  const end = () => {
    if (begin === null) return
    draw()
    const { from, to } = picture().view()
    if (Math.abs(from - begin.from) > picture().pixel) moved(from, to)
    else picture().goBack()
    begin = null
  }
  stage.addEventListener('pointerup', end)
  stage.addEventListener('pointercancel', end)
}

function listenToPointer(stage, { picture, zoom }) {
  let begin = null
  let shown = null
  const xOf = (event) => event.clientX - stage.getBoundingClientRect().left
  stage.addEventListener('pointermove', (event) => {
    if (picture() === null || picture().isHeld || event.target.closest?.('canvas.week')) return
    picture().show(picture().timeAt(xOf(event)))
    if (begin === null || Math.abs(xOf(event) - begin) < LEAST_MOVE) return
    shown ??= stage.querySelector('.over').appendChild(make('div.zoom'))
    const [left, right] = [begin, xOf(event)].sort((one, other) => one - other)
    shown.style.left = `${left}px`
    shown.style.width = `${right - left}px`
  })
  stage.addEventListener('pointerleave', () => begin === null && picture()?.show(null))
  stage.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || event.pointerType === 'touch' || !isChart(event)) return
    begin = xOf(event)
    stage.setPointerCapture(event.pointerId)
  })
  stage.addEventListener('pointerup', (event) => {
    const [from, to] = [begin, xOf(event)]
    begin = null
    shown?.remove()
    if (shown === null || from === null) return
    shown = null
    const ends = [from, to].map((x) => picture().timeAt(x)).sort((one, other) => one - other)
    if (ends[1] - ends[0] >= 1_000) zoom(...ends)
  })
}
